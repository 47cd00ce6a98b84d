import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { readStaticFiles } from "../../../src/server/http/static-files.ts";
import { temporaryFolder } from "../../temporary.ts";

const NO_HEADERS = { pages: {}, files: {}, paths: {} };

const CODE = "export const answer = 42;\n".repeat(50);

async function openSite() {
	const folder = await temporaryFolder();
	const site = {
		"index.html": "<p>Landing",
		"privacy.html": "<p>Privacy",
		"404.html": "<p>Oops! Page not found",
		"assets/main-1a2b.js": CODE,
		"assets/main-1a2b.js.br": brotliCompressSync(CODE),
		"assets/main-1a2b.js.gz": gzipSync(CODE),
		".vite/manifest.json": "{}",
	};
	for (const [path, content] of Object.entries(site)) {
		await mkdir(dirname(join(folder, path)), { recursive: true });
		await writeFile(join(folder, path), content);
	}
	const files = await readStaticFiles(folder, NO_HEADERS);
	return (path: string, headers: Record<string, string> = {}, method = "GET") =>
		files.respond(new Request(`http://localhost${path}`, { headers, method }));
}

it.each([
	["/privacy/?a=b", "/privacy?a=b"],
	["/privacy.html", "/privacy"],
	["/index.html", "/"],
])("pages redirect from %s to %s", async (path, clean) => {
	const response = (await openSite())(path);
	expect(response.status).toBe(308);
	expect(response.headers.get("location")).toBe(clean);
});

it.each([
	...["/nowhere", "/assets/main-0000.js", "/404.html", "//privacy/", "/..%2fpackage.json"],
	...["/assets/main-1a2b.js.br", "/.vite/manifest.json", "/constructor"],
])("pages are not found at %s", async (path) => {
	const response = (await openSite())(path);
	expect(response.status).toBe(404);
	expect(await response.text()).toBe("<p>Oops! Page not found");
});

it("pages allow only GET and HEAD", async () => {
	const response = (await openSite())("/privacy", {}, "POST");
	expect(response.status).toBe(405);
	expect(response.headers.get("allow")).toBe("GET, HEAD");
	expect(response.headers.get("x-content-type-options")).toBe("nosniff");
});

it.each([
	["br, gzip", "br", brotliCompressSync(CODE)],
	["gzip, deflate", "gzip", gzipSync(CODE)],
	["br;q=0, gzip;q=0.5", "gzip", gzipSync(CODE)],
	["identity", null, Buffer.from(CODE)],
])("files are sent for accept-encoding %j as %s", async (accepted, coding, content) => {
	const response = (await openSite())("/assets/main-1a2b.js", { "accept-encoding": accepted });
	expect(response.headers.get("content-encoding")).toBe(coding);
	expect(response.headers.get("vary")).toBe("accept-encoding");
	expect(Buffer.from(await response.arrayBuffer())).toEqual(content);
});

it("files get 304 if the visitor has them", async () => {
	const get = await openSite();
	const tags = new Set<string>();
	for (const accepted of ["br", "gzip", "identity"]) {
		const headers = { "accept-encoding": accepted };
		const etag = get("/assets/main-1a2b.js", headers).headers.get("etag")!;
		tags.add(etag);
		for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
			const response = get("/assets/main-1a2b.js", { ...headers, "if-none-match": known });
			expect(response.status).toBe(304);
			expect(response.headers.get("etag")).toBe(etag);
			expect(await response.text()).toBe("");
		}
	}
	expect(tags.size).toBe(3);
	expect(get("/", { "if-none-match": '"other"' }).status).toBe(200);
});

it("files have a Content-Length for HEAD, and ignore Range", async () => {
	const get = await openSite();
	const range = { range: "bytes=0-5" };
	expect(get("/assets/main-1a2b.js", {}, "HEAD").headers.get("content-length")).toBe("1300");
	expect(get("/assets/main-1a2b.js", range).status).toBe(200);
});

it("throws a sentence if the site is not built", async () => {
	const nowhere = join(await temporaryFolder(), "nowhere");
	await expect(readStaticFiles(nowhere, NO_HEADERS)).rejects.toThrow(
		/^There is no built site in .*nowhere: run `npm run build` first\.$/,
	);
});
