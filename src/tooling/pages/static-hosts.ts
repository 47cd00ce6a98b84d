import { readStaticFiles, type SiteHeaders } from "../../server/http/static-files.ts";
import { STRICT_TRANSPORT_SECURITY } from "../../server/http/transport-security.ts";
import type { BuiltFile } from "../../site/prerender/prerender.tsx";

type Headers = Record<string, string>;

/** Headers that belong to one response and not to its path. */
const ofTheAnswer = ["accept-ranges", "content-length", "etag", "vary"];

/** Headers that differ from path to path, so that a rule for all paths cannot have them. */
const ofThePath = ["cache-control", "content-type", "cross-origin-resource-policy"];

/**
 * The headers of the site for hosts that serve `dist/site` by themselves: `_headers` for Netlify
 * and Cloudflare, and a file for nginx to include. Both are taken from this project's own server,
 * path by path, so that they cannot differ from it.
 * @param folder the complete built site
 */
export async function staticHostFiles(folder: string, headers: SiteHeaders): Promise<BuiltFile[]> {
	const site = await readStaticFiles(folder, headers);
	const ask = (path: string): Headers => {
		const answer = site.respond(new Request(`http://localhost${path}`));
		return Object.fromEntries([...answer.headers].filter(([name]) => !ofTheAnswer.includes(name)));
	};
	const places = new Map<string, Headers>();
	for (const path of [...site.paths].sort()) places.set(placeOf(path), ask(path));
	return [
		{ file: "site/_headers", content: forNetlify(places, ask("/404")) },
		{ file: "nginx-site.conf", content: forNginx(places, ask("/404"), typesOf(site.paths, ask)) },
	];
}

/** Files in a folder share a rule; each file at the root has its own. */
function placeOf(path: string): string {
	return path.replace(/(?<=.\/)[^/]*$/, "*");
}

/**
 * All rules that match apply. Where two name the same header, Netlify takes the later one, and
 * Cloudflare joins both with a comma. So the rule for all paths has only what is right for all. The
 * exception is the policy: files get that of pages beside their own, and both together allow only
 * what the stricter one does.
 */
function forNetlify(places: ReadonlyMap<string, Headers>, notFound: Headers): string {
	const everywhere: Headers = {};
	for (const [name, value] of Object.entries(notFound)) {
		if (!ofThePath.includes(name)) everywhere[name] = value;
	}
	everywhere["strict-transport-security"] = STRICT_TRANSPORT_SECURITY;
	const rules: [place: string, headers: Headers][] = [["/*", everywhere]];
	for (const [place, headers] of places) {
		const own = Object.entries(headers).filter(
			([name, value]) =>
				everywhere[name] !== value && !(name === "content-type" && place.endsWith("/*")),
		);
		rules.push([place, Object.fromEntries(own)]);
	}
	return rules
		.map(([place, headers]) => {
			const lines = Object.entries(headers).map(([name, value]) => `  ${titled(name)}: ${value}\n`);
			return `${place}\n${lines.join("")}`;
		})
		.join("\n");
}

/** Written otherwise than `Like-This`, a header is sent beside the one that Netlify adds itself. */
function titled(name: string): string {
	return name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

/** One location for each place, with all headers: nginx inherits none where a location adds one. */
function forNginx(
	places: ReadonlyMap<string, Headers>,
	notFound: Headers,
	types: ReadonlyMap<string, string>,
): string {
	const location = (match: string, lines: readonly string[], headers: Headers) => {
		const { "content-type": _, ...others } = headers;
		const added = Object.entries(others).map(
			([name, value]) => `add_header ${titled(name)} ${quoted(value)} always;`,
		);
		added.push("add_header Strict-Transport-Security $strict_transport_security always;");
		return `location ${match} {\n${[...lines, ...added].map((line) => `\t${line}\n`).join("")}}\n`;
	};
	const blocks = [...places].map(([place, headers]) => {
		if (place.endsWith("/*")) return location(place.slice(0, -1), [], headers);
		const type = headers["content-type"] ?? "";
		if (type.startsWith("text/html")) {
			const file = place === "/" ? "/index.html" : `${place}.html`;
			return location(`= ${place}`, [`try_files ${file} =404;`], headers);
		}
		return location(`= ${place}`, ["types { }", `default_type ${quoted(type)};`], headers);
	});
	const ofEndings = [...types].map(([ending, type]) => `\t${quoted(type)} ${ending};\n`);
	return `# Serves the pages and files of dist/site: include it in a "server" with
# "root …/dist/site;". The API is the server's: proxy /api/ to it.
gzip_static on;
types {
${ofEndings.join("")}}

# Sent over TLS only.
set $strict_transport_security "";
if ($https) {
	set $strict_transport_security ${quoted(STRICT_TRANSPORT_SECURITY)};
}

error_page 404 /404.html;
location / {
	return 404;
}
${location("= /404.html", ["internal;"], notFound)}
${blocks.join("\n")}`;
}

/** The media type of each file ending among pages and files in folders. */
function typesOf(paths: readonly string[], ask: (path: string) => Headers): Map<string, string> {
	const types = new Map([["html", ask("/")["content-type"] ?? ""]]);
	for (const path of paths) {
		const [, ending] = /^\/.+\/.*\.(\w+)$/.exec(path) ?? [];
		if (ending) types.set(ending, ask(path)["content-type"] ?? "");
	}
	return types;
}

/** A value in quotes for nginx. No value here has both kinds of quotes, or a dollar sign. */
function quoted(value: string): string {
	return value.includes('"') ? `'${value}'` : `"${value}"`;
}
