import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { JOIN_PATH } from "#shared/join.ts";
import { startServer } from "../server-process.ts";
import { temporaryFolder } from "../temporary.ts";

/* Duplicates the headers on purpose, so that no removed directive goes unnoticed. */
const policy = (styles: string) => [
	"default-src 'none'",
	"script-src 'self'",
	`style-src 'sha256-${createHash("sha256").update(styles).digest("base64")}'`,
	"img-src 'self'",
	"font-src 'self'",
	"connect-src 'self'",
	"manifest-src 'self'",
	"worker-src 'self'",
	"form-action 'self'",
	"base-uri 'none'",
	"frame-ancestors 'none'",
	"require-trusted-types-for 'script'",
	"trusted-types engine",
];

const ofPages = {
	"cross-origin-embedder-policy": "require-corp",
	"cross-origin-opener-policy": "same-origin",
	"cross-origin-resource-policy": "same-origin",
	"permissions-policy":
		"accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=(), browsing-topics=()",
	"referrer-policy": "strict-origin-when-cross-origin",
	"speculation-rules": '"/speculation.json"',
	"x-content-type-options": "nosniff",
	"x-frame-options": "DENY",
	"content-type": "text/html; charset=utf-8",
};

const ofFiles = {
	"content-security-policy": "default-src 'none'; frame-ancestors 'none'",
	"cross-origin-embedder-policy": "require-corp",
	"cross-origin-resource-policy": "same-origin",
	"x-content-type-options": "nosniff",
};

async function openSite() {
	const { url } = await startServer({ folder: await temporaryFolder() });
	return (path: string, request?: RequestInit) => fetch(new URL(path, url), request);
}

async function expectPage(response: Response, status: number, caching: string) {
	const [, styles = ""] = /<style>(.*?)<\/style>/s.exec(await response.text()) ?? [];
	expect(response.status).toBe(status);
	expect(Object.fromEntries(response.headers)).toMatchObject({
		...ofPages,
		"cache-control": caching,
	});
	expect(response.headers.get("content-security-policy")?.split("; ")).toEqual(policy(styles));
}

it("every page has the strictest headers", async () => {
	const ask = await openSite();
	for (const path of ["/", "/confirmation", "/privacy", "/terms"]) {
		await expectPage(await ask(path), 200, "no-cache");
	}
	await expectPage(await ask("/no/such/page"), 404, "no-cache");
});

it("the responses to a form without JavaScript have the same headers", async () => {
	const ask = await openSite();
	for (const [email, status] of [
		["ada@example.com", 201],
		["ada@example.com", 409],
		["ada", 400],
	] as const) {
		const body = new URLSearchParams({ email });
		await expectPage(await ask(JOIN_PATH, { method: "POST", body }), status, "no-store");
	}
});

it("files have their type, are cached for an hour, and may load nothing", async () => {
	const ask = await openSite();
	for (const [path, type] of [
		["/mark.svg", "image/svg+xml; charset=utf-8"],
		["/favicon.ico", "image/x-icon"],
		["/apple-touch-icon.png", "image/png"],
		["/icon-192.png", "image/png"],
		["/site.webmanifest", "application/manifest+json"],
		["/robots.txt", "text/plain; charset=utf-8"],
		["/sitemap.xml", "application/xml; charset=utf-8"],
		["/.well-known/security.txt", "text/plain; charset=utf-8"],
		["/speculation.json", "application/speculationrules+json"],
	] as const) {
		const response = await ask(path);
		expect(response.status, path).toBe(200);
		expect(Object.fromEntries(response.headers), path).toMatchObject({
			...ofFiles,
			"content-type": type,
			"cache-control": "public, max-age=3600",
		});
	}
});

it("other sites may show sharing pictures only", async () => {
	const ask = await openSite();
	const { headers } = await ask("/sharing/index.jpg");
	expect(Object.fromEntries(headers)).toMatchObject({
		...ofFiles,
		"cross-origin-resource-policy": "cross-origin",
		"content-type": "image/jpeg",
	});
});

it("a page's script has an integrity hash, may run as a worker, and is cached for a year", async () => {
	const ask = await openSite();
	const html = await (await ask("/")).text();
	const [, boot = "", integrity] =
		/<script type="module" src="([^"]+)" integrity="([^"]+)"/.exec(html) ?? [];
	const response = await ask(boot);
	expect(Object.fromEntries(response.headers)).toMatchObject({
		...ofFiles,
		"cache-control": "public, max-age=31536000, immutable",
	});
	const code = Buffer.from(await response.arrayBuffer());
	expect(integrity).toBe(`sha384-${createHash("sha384").update(code).digest("base64")}`);
});

it("every page is sent with brotli and preloads its fonts", async () => {
	const ask = await openSite();
	for (const path of ["/", "/confirmation", "/privacy", "/terms", "/no/such/page"]) {
		const page = await ask(path, { headers: { "accept-encoding": "gzip, br" } });
		expect(page.headers.get("content-encoding"), path).toBe("br");
		const html = await page.text();
		const fonts = [
			...html.matchAll(
				/<link rel="preload" href="([^"]+)" as="font" type="font\/woff2" crossorigin>/g,
			),
		].map(([, font = ""]) => font);
		// One file per face, and one for each other writing system on the page, such as latin-ext.
		const name = (font: string) => font.replace(/^\/assets\/|-[\w-]{8}\.woff2$/g, "");
		const faces = fonts.map(name);
		expect(fonts, path).toEqual([...new Set(fonts)]);
		expect(faces, path).toEqual(expect.arrayContaining(["display", "text"]));
		const foreign = /[\u0100-\u02af]/.test(html.slice(html.indexOf("<body>")));
		expect(faces.includes("display-1"), path).toBe(foreign);
		for (const font of fonts) {
			expect(Object.fromEntries((await ask(font)).headers), font).toMatchObject({
				"content-type": "font/woff2",
				"cache-control": "public, max-age=31536000, immutable",
			});
		}
	}
});
