import { createHash } from "node:crypto";
import { isolation } from "../../server/http/responses.ts";
import type { SiteHeaders } from "../../server/http/static-files.ts";

/**
 * The headers of every response with a page or a file. The server reads them from `dist/headers.json`.
 *
 * One header depends on the connection and is left to what ends its encryption: see
 * `src/server/http/listen.ts`. The policy needs no `upgrade-insecure-requests`, since
 * no address in a page names a scheme.
 * @param styles the style sheet, exactly as the document has it
 */
export function siteHeaders(styles: string): SiteHeaders {
	return {
		pages: pageHeaders(styles),
		files: fileHeaders,
		paths: {
			// Other sites may show the sharing pictures.
			"/sharing/": { "cross-origin-resource-policy": "cross-origin" },
			// Browsers accept speculation rules by this type only, which no file ending stands for.
			"/speculation.json": { "content-type": "application/speculationrules+json" },
		},
	};
}

/**
 * The headers of the pages behind the links of our letters. On a page whose address is a secret nothing
 * is prepared before it is asked for.
 * @param styles their style sheet, exactly as the documents have it
 */
export function letterHeaders(styles: string): Record<string, string> {
	const { "speculation-rules": _, ...headers } = pageHeaders(styles);
	return headers;
}

/**
 * The policy names what a page may do and forbids the rest. It allows the one inline style sheet by
 * its hash, and no inline script.
 */
function pageHeaders(styles: string): Record<string, string> {
	const policy = {
		"default-src": "'none'",
		"script-src": "'self'",
		"style-src": `'sha256-${createHash("sha256").update(styles).digest("base64")}'`,
		"img-src": "'self'",
		"font-src": "'self'",
		"connect-src": "'self'",
		"manifest-src": "'self'",
		"worker-src": "'self'",
		"form-action": "'self'",
		"base-uri": "'none'",
		"frame-ancestors": "'none'",
		"require-trusted-types-for": "'script'",
		// The policy's name, by which the engine's worker is started.
		"trusted-types": "engine",
	};
	return {
		"content-security-policy": Object.entries(policy)
			.map((directive) => directive.join(" "))
			.join("; "),
		...isolation,
		"referrer-policy": "strict-origin-when-cross-origin",
		// A header, because rules inside the page would be an inline script.
		"speculation-rules": '"/speculation.json"',
		"x-content-type-options": "nosniff",
		"x-frame-options": "DENY",
	};
}

/**
 * The headers of everything else: scripts, fonts, pictures. A worker needs an embedder policy of
 * its own under a page that has one. No file opened by itself may load another.
 */
const fileHeaders: Record<string, string> = {
	"content-security-policy": "default-src 'none'; frame-ancestors 'none'",
	"cross-origin-embedder-policy": "require-corp",
	"cross-origin-resource-policy": "same-origin",
};
