/* Page heads, as read by search engines, sharing cards and tabs. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { brand } from "#brand";
import { routes } from "../../../src/site/routes.ts";
import { brandHash } from "../../../src/tooling/photograph/brand-hash.ts";
import { openSite } from "./open-site.ts";

const { origin, product } = brand;

const shared = routes.filter(({ status }) => status === 200).map(({ path }) => path);

it("every page has the tags of a sharing card", async () => {
	const { head } = await openSite();
	for (const path of shared) {
		const { title, meta, og, canonical } = await head(path);
		expect(canonical).toBe(origin + path);
		expect(og("url")).toBe(canonical);
		expect(og("type")).toBe("website");
		expect(og("site_name")).toBe(product);
		expect(og("locale")).toMatch(new RegExp(`^${brand.language.split("-")[0]}_[A-Z]{2}$`));
		expect(og("title")).toBe(title);
		expect(og("title")).toContain(product);
		expect(og("description")).toBe(meta("description"));
		expect(og("description")).toMatch(/\S/);
		expect(meta("twitter:card")).toBe("summary_large_image");
	}
});

it("every page has a picture", async () => {
	const { head, ask, image } = await openSite();
	for (const path of shared) {
		const { og } = await head(path);
		const picture = new URL(og("image")!);
		expect(picture.origin).toBe(origin);
		const answer = await ask(picture.pathname);
		expect(answer.headers.get("content-type")).toBe(og("image:type"));
		const { width, height, bytes } = await image(picture.pathname);
		expect({ width, height }).toEqual({ width: 1200, height: 630 });
		expect({ width, height }).toEqual({
			width: Number(og("image:width")),
			height: Number(og("image:height")),
		});
		expect(bytes).toBeLessThan(300_000);
	}
});

it("pictures and icons are of the current words, theme and logo", () => {
	const styles = readFileSync("src/site/styles/sphere.css", "utf8");
	expect(styles, "npm run photograph takes new pictures").toContain(`Brand hash: ${brandHash}.`);
});

it("no two pages share title, description or picture", async () => {
	const { head } = await openSite();
	const heads = await Promise.all(shared.map(head));
	for (const key of ["title", "description", "url", "image", "image:alt"]) {
		expect(new Set(heads.map(({ og }) => og(key))).size, key).toBe(shared.length);
	}
});

it("search engines may list the public pages only", async () => {
	const { head } = await openSite();
	const robots = async (path: string) => (await head(path)).meta("robots");
	for (const path of ["/", "/privacy", "/terms"]) expect(await robots(path)).toBe("index, follow");
	for (const path of ["/confirmation", "/no/such/page"]) expect(await robots(path)).toBe("noindex");
});

it("the not-found page has no canonical URL and no card", async () => {
	const { head } = await openSite();
	const { canonical, og, meta, data } = await head("/no/such/page");
	expect([canonical, og("url"), og("image"), meta("twitter:card")]).toEqual(
		Array(4).fill(undefined),
	);
	expect(data).toEqual([]);
});

it("the landing page names its company in schema.org terms", async () => {
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

it("every page links to icons for tabs, home screens and old browsers", async () => {
	const { head, image, text } = await openSite();
	for (const path of [...shared, "/no/such/page"]) {
		const { links } = await head(path);
		expect(links("icon")).toEqual([
			{ href: "/favicon.ico", sizes: "32x32" },
			{ href: "/mark.svg", sizes: undefined },
		]);
		expect(links("apple-touch-icon")).toEqual([
			{ href: "/apple-touch-icon.png", sizes: undefined },
		]);
		expect(links("manifest")).toEqual([{ href: "/site.webmanifest", sizes: undefined }]);
	}
	expect(await image("/favicon.ico")).toMatchObject({ width: 32, height: 32 });
	expect(await image("/apple-touch-icon.png")).toMatchObject({ width: 180, height: 180 });
	// Text in an SVG would use the visitor's font.
	expect(await text("/mark.svg")).not.toContain("<text");
});
