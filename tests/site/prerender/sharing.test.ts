import { Window } from "happy-dom";
import { runnerImport } from "vite";
import { expect, it } from "vitest";
import { brand } from "../../../src/brand.ts";
import type * as siteFilesModule from "../../../src/site/prerender/site-files.ts";
import { routes } from "../../../src/site/routes.ts";
import { startServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";
import { readImage } from "./read-image.ts";

const { origin, product } = brand;

async function openSite() {
	const { url } = await startServer({ folder: await temporaryFolder() });
	const ask = (path: string) => fetch(new URL(path, url));
	return {
		ask,
		text: async (path: string) => (await ask(path)).text(),
		head: async (path: string) => readHead(await (await ask(path)).text()),
		image: async (path: string) => {
			const answer = await ask(path);
			return readImage(Buffer.from(await answer.arrayBuffer()));
		},
	};
}

/** A document's head as programs read it. */
function readHead(html: string) {
	const { document } = new Window({ settings: { disableJavaScriptEvaluation: true } });
	document.documentElement.innerHTML = /<html[^>]*>(.*)<\/html>/s.exec(html)![1]!;
	const { head } = document;
	const one = (selector: string, attribute: string) => {
		const found = [...head.querySelectorAll(selector)];
		expect(found.length, selector).toBeLessThanOrEqual(1);
		return found[0]?.getAttribute(attribute) ?? undefined;
	};
	return {
		title: head.querySelector("title")?.textContent,
		meta: (name: string) => one(`meta[name="${name}"]`, "content"),
		og: (name: string) => one(`meta[property="og:${name}"]`, "content"),
		canonical: one('link[rel="canonical"]', "href"),
		links: (rel: string) =>
			[...head.querySelectorAll(`link[rel="${rel}"]`)].map((link) => ({
				href: link.getAttribute("href") ?? "",
				sizes: link.getAttribute("sizes") ?? undefined,
			})),
		data: [...head.querySelectorAll('script[type="application/ld+json"]')].map(
			(script) => JSON.parse(script.textContent) as Record<string, unknown>,
		),
	};
}

const shared = ["/", "/confirmation", "/privacy", "/terms"];

it("every page says what a sharing card needs", async () => {
	const { head } = await openSite();
	for (const path of shared) {
		const { title, meta, og, canonical } = await head(path);
		expect(canonical).toBe(origin + path);
		expect(og("url")).toBe(canonical);
		expect(og("type")).toBe("website");
		expect(og("site_name")).toBe(product);
		expect(og("locale")).toBe("en_US");
		expect(og("title")).toBe(title);
		expect(og("title")).toContain(product);
		expect(og("description")).toBe(meta("description"));
		expect(og("description")).toMatch(/^[A-Z].+\.$/);
		expect(meta("twitter:card")).toBe("summary_large_image");
	}
});

it("every page has a picture of the words that it has today", async () => {
	const { head, ask, image } = await openSite();
	for (const path of shared) {
		const { og } = await head(path);
		const picture = new URL(og("image")!);
		expect(picture.origin).toBe(origin);
		const answer = await ask(picture.pathname);
		expect(answer.headers.get("content-type")).toBe(og("image:type"));
		const { width, height, comment, bytes } = await image(picture.pathname);
		expect({ width, height }).toEqual({ width: 1200, height: 630 });
		expect({ width, height }).toEqual({
			width: Number(og("image:width")),
			height: Number(og("image:height")),
		});
		expect(bytes).toBeLessThan(300_000);
		// The picture carries the words that it was taken with.
		expect(comment, "npm run photograph takes new pictures").toBe(og("image:alt"));
	}
});

it("no two pages share title, description or picture", async () => {
	const { head } = await openSite();
	const heads = await Promise.all(shared.map(head));
	for (const key of ["title", "description", "url", "image", "image:alt"])
		expect(new Set(heads.map(({ og }) => og(key))).size, key).toBe(shared.length);
});

it("search engines list the pages that are for everybody, and no others", async () => {
	const { head } = await openSite();
	const robots = async (path: string) => (await head(path)).meta("robots");
	for (const path of ["/", "/privacy", "/terms"]) expect(await robots(path)).toBe("index, follow");
	for (const path of ["/confirmation", "/no/such/page"]) expect(await robots(path)).toBe("noindex");
});

it("what is not found has no address of its own, and no card", async () => {
	const { head } = await openSite();
	const { canonical, og, meta, data } = await head("/no/such/page");
	expect([canonical, og("url"), og("image"), meta("twitter:card")]).toEqual(
		Array(4).fill(undefined),
	);
	expect(data).toEqual([]);
});

it("the landing page says whose site it is, in words that search engines know", async () => {
	const { head, image } = await openSite();
	const { data } = await head("/");
	expect(data).toHaveLength(1);
	const graph = data[0]!["@graph"] as Record<string, unknown>[];
	expect(data[0]!["@context"]).toBe("https://schema.org");
	expect(graph.map((thing) => thing["@type"])).toEqual(["WebSite", "Organization"]);
	const [site, company] = graph as [Record<string, unknown>, Record<string, unknown>];
	expect(site).toMatchObject({ name: product, url: `${origin}/` });
	expect(company).toMatchObject({ name: brand.company, email: brand.email, url: `${origin}/` });
	expect(site.publisher).toEqual({ "@id": company["@id"] });
	expect(await image(new URL(String(company.logo)).pathname)).toMatchObject({ width: 512 });
	for (const path of ["/confirmation", "/privacy"]) expect((await head(path)).data).toEqual([]);
});

it("every page leads to icons for tabs, home screens and old browsers", async () => {
	const { head, image, text } = await openSite();
	for (const path of [...shared, "/no/such/page"]) {
		const { links } = await head(path);
		expect(links("icon")).toEqual([
			{ href: "/favicon.ico", sizes: "32x32" },
			{ href: "/favicon.svg", sizes: undefined },
		]);
		expect(links("apple-touch-icon")).toEqual([
			{ href: "/apple-touch-icon.png", sizes: undefined },
		]);
		expect(links("manifest")).toEqual([{ href: "/site.webmanifest", sizes: undefined }]);
	}
	expect(await image("/favicon.ico")).toMatchObject({ width: 32, height: 32 });
	expect(await image("/apple-touch-icon.png")).toMatchObject({ width: 180, height: 180 });
	// Letters would be drawn with the visitor's own font.
	expect(await text("/favicon.svg")).not.toContain("<text");
});

it("the manifest keeps the site in the browser, and its icons are as large as they say", async () => {
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

it("robots are told where the pages are", async () => {
	const { text } = await openSite();
	expect(await text("/robots.txt")).toBe(
		`User-agent: *\nDisallow: /api/\n\nSitemap: ${origin}/sitemap.xml\n`,
	);
	const locations = [...(await text("/sitemap.xml")).matchAll(/<loc>(.+?)<\/loc>/g)];
	expect(locations.map(([, location]) => location)).toEqual(
		["/", "/privacy", "/terms"].map((path) => origin + path),
	);
});

it("security.txt names somebody to write to, and is good for less than a year", async () => {
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
	// The build is repeated when it is of another month.
	expect(days).toBeGreaterThan(290);
	expect(days).toBeLessThan(365);
});

it("browsers may prepare pages, and never ask the API", async () => {
	const { ask } = await openSite();
	const rules = JSON.stringify(await (await ask("/speculation.json")).json());
	// Links into a page, as in a table of contents, lead nowhere new.
	const paths = [...rules.matchAll(/"pathname":"([^"]*)","hash":""/g)].map(([, path]) => path);
	expect(paths.sort()).toEqual([...shared].sort());
	expect(rules).not.toContain("*");
	expect(rules).not.toContain("api");
	// On a slow line, what a visitor may never want waits until she points at it.
	expect(new Set(rules.match(/"eagerness":"\w+"/g))).toEqual(new Set(['"eagerness":"moderate"']));
});

it("SITE_ORIGIN is where the site says that it lives", async () => {
	const elsewhere = "https://waitlist.example";
	const { module } = await runnerImport<typeof siteFilesModule>(
		"src/site/prerender/site-files.ts",
		{
			configFile: false,
			logLevel: "error",
			define: { "import.meta.env.SITE_ORIGIN": JSON.stringify(elsewhere) },
		},
	);
	const files = module.siteFiles(new Date("2026-11-21T12:00:00Z"));
	const content = (path: string) => files.find((file) => file.path === path)!.content;
	expect(content("/robots.txt")).toContain(`Sitemap: ${elsewhere}/sitemap.xml`);
	expect(content("/sitemap.xml")).toContain(`<loc>${elsewhere}/privacy</loc>`);
	expect(content("/.well-known/security.txt")).toContain(
		`Expires: 2027-10-17T00:00:00.000Z\nPreferred-Languages: en\nCanonical: ${elsewhere}/`,
	);
});

it("the pages shared are the pages there are", () => {
	const found = routes.filter(({ status }) => status === 200).map(({ path }) => path);
	expect(found).toEqual(shared);
});
