import { readFile } from "node:fs/promises";
import { get } from "node:http";
import { get as getEncrypted } from "node:https";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startNginx } from "../../bench/harness/nginx.ts";
import { readStaticFiles } from "../../src/server/http/static-files.ts";
import { startServer } from "../server-process.ts";
import { temporaryFolder } from "../temporary.ts";

/** Headers that each server sets in its own way. */
const theirs =
	/^(accept-ranges|connection|content-length|date|etag|keep-alive|last-modified|server|transfer-encoding|vary|x-request-id)$/;

const dist = join(process.cwd(), "dist");

/** Every path of the built site, and some without content. */
async function readPaths(): Promise<string[]> {
	const headers = JSON.parse(await readFile(join(dist, "headers.json"), "utf8"));
	const { paths } = await readStaticFiles(join(dist, "site"), headers);
	return [...paths, "/no/such/page", "/_headers", "/.vite/manifest.json"];
}

async function askServer(url: string, path: string) {
	const { status, headers } = await fetch(new URL(path, url), {
		headers: { "accept-encoding": "identity" },
	});
	return { status, headers: plain(headers) };
}

function plain(headers: Iterable<[string, unknown]>): Record<string, unknown> {
	return Object.fromEntries([...headers].filter(([name]) => !theirs.test(name)));
}

async function startStaticNginx() {
	const nginx = await startNginx(
		() => `root "${dist}/site";\n\t\tinclude "${dist}/nginx-site.conf";`,
	);
	onTestFinished(nginx.close);
	const ca = await readFile(nginx.certificate);
	return (path: string, encrypted = false) =>
		new Promise<{ status: number | undefined; headers: Record<string, unknown> }>(
			(done, failed) => {
				const finished: Parameters<typeof get>[2] = (response) => {
					response.resume();
					done({ status: response.statusCode, headers: plain(Object.entries(response.headers)) });
				};
				const url = (scheme: string, port: number) => `${scheme}://localhost:${port}${path}`;
				const headers = { "accept-encoding": "identity" };
				const request = encrypted
					? getEncrypted(url("https", nginx.httpsPort), { ca, headers }, finished)
					: get(url("http", nginx.httpPort), { headers }, finished);
				request.on("error", failed);
			},
		);
}

it("nginx serves every page and file as our own server does", async () => {
	const server = await startServer({ folder: await temporaryFolder() });
	const ask = await startStaticNginx();
	for (const path of await readPaths()) {
		expect(await ask(path), path).toEqual(await askServer(server.url, path));
	}
});

it("nginx asks for TLS over TLS only", async () => {
	const ask = await startStaticNginx();
	for (const path of ["/", "/mark.svg", "/no/such/page"]) {
		expect((await ask(path, true)).headers["strict-transport-security"]).toBe("max-age=63072000");
		expect((await ask(path)).headers).not.toHaveProperty("strict-transport-security");
	}
});

/** The headers at a path by `_headers`, for a host that takes the last value or joins them. */
function readRules(text: string, path: string): Map<string, string[]> {
	const found = new Map<string, string[]>();
	for (const rule of text.trim().split("\n\n")) {
		const [place, ...lines] = rule.split("\n");
		const matches = place!.endsWith("*") ? path.startsWith(place!.slice(0, -1)) : path === place;
		if (!matches) continue;
		for (const line of lines) {
			const [, name, value] = /^ {2}([A-Z][\w-]+): (.+)$/.exec(line)!;
			found.set(name!.toLowerCase(), [...(found.get(name!.toLowerCase()) ?? []), value!]);
		}
	}
	return found;
}

it("_headers gives Netlify and Cloudflare the same headers, none twice except the policy", async () => {
	const server = await startServer({ folder: await temporaryFolder() });
	const text = await readFile(join(dist, "site/_headers"), "utf8");
	for (const path of (await readPaths()).filter((path) => !path.startsWith("/_"))) {
		const rules = readRules(text, path);
		const { status, headers } = await askServer(server.url, path);
		for (const [name, value] of Object.entries(headers)) {
			// An unknown path gets the rule for all paths, without these two, which differ between paths.
			if (status === 404 && /^(cache-control|cross-origin-resource-policy)$/.test(name)) continue;
			// Hosts set the types that they know by the ending.
			if (name === "content-type" && !rules.has(name)) continue;
			expect(rules.get(name)?.at(-1), `${name} at ${path}`).toBe(value);
		}
		for (const [name, values] of rules) {
			if (name !== "content-security-policy") expect(values, `${name} at ${path}`).toHaveLength(1);
		}
		expect(rules.get("strict-transport-security")).toEqual(["max-age=63072000"]);
	}
});

it("our own server does not serve the files for other hosts", async () => {
	const server = await startServer({ folder: await temporaryFolder() });
	for (const path of ["/_headers", "/nginx-site.conf", "/headers.json"]) {
		expect((await askServer(server.url, path)).status).toBe(404);
	}
});
