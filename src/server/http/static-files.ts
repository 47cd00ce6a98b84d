import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { getMimeType } from "hono/utils/mime";
import { nosniff } from "./responses.ts";
import { codings, type StaticFile, sendFile } from "./send-file.ts";

/** The site that the build wrote, in memory. */
export interface StaticFiles {
	/** Every path that has content. */
	paths: readonly string[];
	/** Responds to any request for a page or file, with the 404 page for an unknown path. */
	respond(request: Request): Response;
}

/** Headers that the build wants sent. */
export interface SiteHeaders {
	/** With HTML. */
	pages: Readonly<Record<string, string>>;
	/** With everything else. */
	files: Readonly<Record<string, string>>;
	/**
	 * Headers of one path, or of everything below a path that ends in a slash. They win over the
	 * others.
	 */
	paths: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Names below it contain a hash of the content, so their content never changes. */
const HASHED = "/assets/";
const NOT_FOUND = "/404";

/**
 * Reads a built site into memory: it is small, and a path that is not in the map cannot reach the
 * disk. `x.html` is served at `/x`, and `404.html` at every unknown path.
 *
 * @param folder the site's root; names that start with a dot stay private, `.well-known` excepted
 * @throws Error when there is no site or no 404 page
 */
export async function readStaticFiles(folder: string, headers: SiteHeaders): Promise<StaticFiles> {
	const contents = await readFolder(folder);
	const files = new Map<string, StaticFile>();
	for (const [path, identity] of contents) {
		if (codings.some(({ ending }) => path.endsWith(ending))) continue;
		const file = describeFile(path, identity, headers);
		for (const { coding, ending } of codings) {
			const twin = contents.get(path + ending);
			if (twin) file.bodies[coding] = twin;
		}
		files.set(servedPath(path), file);
	}
	const notFound = files.get(NOT_FOUND);
	files.delete(NOT_FOUND);
	if (!files.has("/") || !notFound) {
		throw new Error(`There is no built site in ${folder}: run npm run build first.`);
	}

	return {
		paths: [...files.keys()],
		respond(request) {
			const { pathname, search } = new URL(request.url);
			const file = files.get(pathname);
			const clean = servedPath(pathname.replace(/(?<=.)\/$/, ""));
			if (!file && clean !== pathname && files.has(clean)) {
				return new Response(null, {
					status: 308,
					headers: { ...headers.pages, location: clean + search, ...nosniff },
				});
			}
			if (!file) return sendFile(notFound, request, 404);
			if (request.method !== "GET" && request.method !== "HEAD") {
				return new Response("Only GET and HEAD can be used here.", {
					status: 405,
					headers: {
						...headers.files,
						allow: "GET, HEAD",
						"content-type": "text/plain; charset=utf-8",
						...nosniff,
					},
				});
			}
			return sendFile(file, request, 200);
		},
	};
}

/** `/` for `/index.html`, `/x` for the page in `/x.html`, and other paths as they are. */
function servedPath(path: string): string {
	if (path === "/index.html") return "/";
	return path.endsWith(".html") ? path.slice(0, -".html".length) : path;
}

async function readFolder(folder: string): Promise<Map<string, Uint8Array>> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
	const contents = new Map<string, Uint8Array>();
	for (const entry of entries.filter((entry) => entry.isFile())) {
		const file = join(entry.parentPath, entry.name);
		const path = `/${file.slice(join(folder, sep).length).split(sep).join("/")}`;
		if (/\/\.(?!well-known\/)/.test(path)) continue;
		contents.set(path, await readFile(file));
	}
	return contents;
}

function describeFile(path: string, identity: Uint8Array, headers: SiteHeaders): StaticFile {
	const isPage = path.endsWith(".html");
	return {
		bodies: { identity },
		hash: createHash("sha256").update(identity).digest("base64url").slice(0, 22),
		headers: {
			...(isPage ? headers.pages : headers.files),
			"content-type": getMimeType(path) ?? "application/octet-stream",
			"cache-control": isPage
				? "no-cache"
				: path.startsWith(HASHED)
					? "public, max-age=31536000, immutable"
					: "public, max-age=3600",
			...nosniff,
			...headersAt(path, headers.paths),
		},
	};
}

function headersAt(path: string, paths: SiteHeaders["paths"]): Record<string, string> {
	const found = Object.entries(paths).filter(([name]) =>
		name.endsWith("/") ? path.startsWith(name) : path === name,
	);
	return Object.assign({}, ...found.map(([, headers]) => headers));
}
