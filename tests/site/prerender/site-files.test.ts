import { runnerImport } from "vite";
import { expect, it } from "vitest";
import { brand } from "#brand";
import type * as siteFilesModule from "../../../src/site/prerender/site-files.ts";
import { openSite } from "./open-site.ts";

const { origin, product } = brand;

it("the manifest keeps the site in a browser tab, and its icons have the declared sizes", async () => {
	const { ask, image } = await openSite();
	const manifest = (await (await ask("/site.webmanifest")).json()) as {
		icons: { src: string; sizes: string; type: string; purpose?: string }[];
	};
	expect(manifest).toMatchObject({ short_name: product, start_url: "/", display: "browser" });
	expect(manifest.icons.map(({ sizes, purpose }) => [sizes, purpose])).toEqual([
		["192x192", undefined],
		["512x512", undefined],
		["512x512", "maskable"],
		["any", undefined],
	]);
	for (const { src, sizes, type } of manifest.icons) {
		expect((await ask(src)).headers.get("content-type")).toContain(type);
		if (sizes === "any") continue;
		const { width, height } = await image(src);
		expect(`${width}x${height}`).toBe(sizes);
	}
});

it("robots.txt and sitemap list the pages", async () => {
	const { text } = await openSite();
	expect(await text("/robots.txt")).toBe(
		`User-agent: *\nDisallow: /api/\n\nSitemap: ${origin}/sitemap.xml\n`,
	);
	const locations = [...(await text("/sitemap.xml")).matchAll(/<loc>(.+?)<\/loc>/g)];
	expect(locations.map(([, location]) => location)).toEqual(
		["/", "/privacy", "/terms"].map((path) => origin + path),
	);
});

it("security.txt has a contact address, and is valid for less than a year", async () => {
	const { text } = await openSite();
	const fields = new Map(
		(await text("/.well-known/security.txt"))
			.trim()
			.split("\n")
			.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]),
	);
	expect(fields.get("Contact")).toBe(`mailto:${brand.email}`);
	expect(fields.get("Canonical")).toBe(`${origin}/.well-known/security.txt`);
	const days = (Date.parse(fields.get("Expires")!) - Date.now()) / 86_400_000;
	// The build sets 330 days, and `npm test` builds again each month.
	expect(days).toBeGreaterThan(290);
	expect(days).toBeLessThan(365);
});

it("browsers may prefetch pages, but never call the API", async () => {
	const { ask } = await openSite();
	const rules = JSON.stringify(await (await ask("/speculation.json")).json());
	// The empty hash excludes links within a page, as in a table of contents.
	const paths = [...rules.matchAll(/"pathname":"([^"]*)","hash":""/g)].map(([, path]) => path);
	expect(paths.sort()).toEqual(["/", "/confirmation", "/privacy", "/terms"]);
	expect(rules).not.toContain("*");
	expect(rules).not.toContain("api");
	// `moderate` saves data: it waits until the pointer rests on the link.
	expect(new Set(rules.match(/"eagerness":"\w+"/g))).toEqual(new Set(['"eagerness":"moderate"']));
});

it("SITE_ORIGIN replaces the brand's origin", async () => {
	const elsewhere = "https://waitlist.example";
	const { module } = await runnerImport<typeof siteFilesModule>(
		"src/site/prerender/site-files.ts",
		{
			configFile: false,
			logLevel: "error",
			define: { "import.meta.env.SITE_ORIGIN": JSON.stringify(elsewhere) },
		},
	);
	const files = module.listSiteFiles(new Date("2026-11-21T12:00:00Z"));
	const content = (path: string) => files.find((file) => file.path === path)!.content;
	expect(content("/robots.txt")).toContain(`Sitemap: ${elsewhere}/sitemap.xml`);
	expect(content("/sitemap.xml")).toContain(`<loc>${elsewhere}/privacy</loc>`);
	expect(content("/.well-known/security.txt")).toContain(
		`Expires: 2027-10-17T00:00:00.000Z\nPreferred-Languages: ${brand.language}\nCanonical: ${elsewhere}/`,
	);
});
