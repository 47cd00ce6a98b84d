import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { getMimeType } from "hono/utils/mime";
import { type Headers, methodNotAllowed, nosniff } from "./responses.ts";

export type StaticFiles = Awaited<ReturnType<typeof readStaticFiles>>;

export interface SiteHeaders {
	pages: Headers;
	files: Headers;
	/** Headers by path. A path that ends in a slash applies to everything below it. */
	paths: Readonly<Record<string, Headers>>;
}

/** Extensions of compressed files, smallest first. */
const codings = { br: ".br", gzip: ".gz" } as const;

type Coding = keyof typeof codings | "identity";

export interface StaticFile {
	bodies: Partial<Record<Coding, Uint8Array>> & { identity: Uint8Array };
	headers: Record<string, string>;
	etag: string;
}

export function createStaticFile(
	path: string,
	identity: Uint8Array,
	headers: Record<string, string>,
): StaticFile {
	return {
		bodies: { identity },
		// Hashes the content, so that all servers send the same ETag.
		etag: createHash("sha256").update(identity).digest("base64url").slice(0, 22),
		headers: { "content-type": getMimeType(path) ?? "application/octet-stream", ...headers },
	};
}

/** Files in this folder have a content hash in their names. */
const HASHED = "/assets/";
const NOT_FOUND = "/404";

/** Reads a built site into memory, so that no request path reaches the disk. Serves `x.html` at `/x`. */
export async function readStaticFiles(folder: string, headers: SiteHeaders) {
	const contents = await readFolder(folder);
	const endings = Object.entries(codings) as [keyof typeof codings, string][];
	const files = new Map<string, StaticFile>();
	for (const [path, identity] of contents) {
		if (endings.some(([, ending]) => path.endsWith(ending))) continue;
		const file = createStaticFile(path, identity, headersOf(path, headers));
		for (const [coding, ending] of endings) {
			const twin = contents.get(path + ending);
			if (twin) file.bodies[coding] = twin;
		}
		files.set(servedPath(path), file);
	}
	const notFound = files.get(NOT_FOUND);
	files.delete(NOT_FOUND);
	if (!files.has("/") || !notFound) {
		throw new Error(`There is no built site in ${folder}: run \`npm run build\` first.`);
	}

	return {
		respond(request: Request): Response {
			const { pathname, search } = new URL(request.url);
			const file = files.get(pathname);
			const clean = servedPath(pathname.replace(/(?<=.)\/$/, ""));
			if (!file && clean !== pathname && files.has(clean)) {
				const moved = { ...headers.pages, location: clean + search, ...nosniff };
				return new Response(null, { status: 308, headers: moved });
			}
			if (!file) return fileResponse(notFound, request, 404);
			if (request.method === "GET" || request.method === "HEAD") return fileResponse(file, request);
			return methodNotAllowed("GET, HEAD");
		},
	};
}

const servedPath = (path: string) => (path === "/index.html" ? "/" : path.replace(/\.html$/, ""));

async function readFolder(folder: string): Promise<Map<string, Uint8Array>> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
	const contents = new Map<string, Uint8Array>();
	for (const entry of entries.filter((entry) => entry.isFile())) {
		const file = join(entry.parentPath, entry.name);
		const path = `/${file.slice(join(folder, sep).length).split(sep).join("/")}`;
		// Skips dotfiles, which may be private, but not `/.well-known/`.
		if (!/\/\.(?!well-known\/)/.test(path)) contents.set(path, await readFile(file));
	}
	return contents;
}

function headersOf(path: string, { pages, files, paths }: SiteHeaders): Record<string, string> {
	const isPage = path.endsWith(".html");
	const cached = path.startsWith(HASHED)
		? "public, max-age=31536000, immutable"
		: "public, max-age=3600";
	const own = Object.entries(paths).filter(([name]) =>
		name.endsWith("/") ? path.startsWith(name) : path === name,
	);
	return Object.assign(
		{ ...(isPage ? pages : files), "cache-control": isPage ? "no-cache" : cached, ...nosniff },
		...own.map(([, headers]) => headers),
	);
}

export function fileResponse(
	file: StaticFile,
	request: Request,
	status: 200 | 404 = 200,
): Response {
	const coding = chooseCoding(file, request);
	const body = file.bodies[coding]!;
	const etag = `"${file.etag}${coding === "identity" ? "" : `-${coding}`}"`;
	const headers: Record<string, string> = { ...file.headers, etag };
	if (Object.keys(file.bodies).length > 1) headers.vary = "accept-encoding";
	if (coding !== "identity") headers["content-encoding"] = coding;
	// Weak comparison (RFC 9110, 13.1.2).
	const known = (request.headers.get("if-none-match") ?? "").split(",");
	if (status === 200 && known.some((tag) => ["*", etag].includes(tag.trim().replace(/^W\//, "")))) {
		return new Response(null, { status: 304, headers });
	}
	// Node cannot compute the length for HEAD, which has no body.
	headers["content-length"] = String(body.length);
	return new Response(body, { status, headers });
}

function chooseCoding({ bodies }: StaticFile, request: Request): Coding {
	const accepted = (request.headers.get("accept-encoding") ?? "").toLowerCase();
	const accepts = (coding: string) =>
		new RegExp(`\\b${coding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`).test(accepted);
	const names = Object.keys(codings) as Coding[];
	return names.find((coding) => bodies[coding] && accepts(coding)) ?? "identity";
}
