import { createHash } from "node:crypto";
import { isolationHeaders } from "../../server/http/responses.ts";
import type { SiteHeaders } from "../../server/http/static-files.ts";

/**
 * Response headers, which the server reads from `dist/headers.json`. Only
 * `Strict-Transport-Security` depends on the connection (src/server/http/listen.ts).
 * @param styles the style sheet, exactly as in the document
 */
export function siteHeaders(styles: string): SiteHeaders {
	return {
		pages: pageHeaders(styles),
		files: fileHeaders,
		paths: {
			// Allows other sites to show the sharing pictures.
			"/sharing/": { "cross-origin-resource-policy": "cross-origin" },
			// Browsers require this type, which no file extension implies.
			"/speculation.json": { "content-type": "application/speculationrules+json" },
		},
	};
}

/**
 * URLs behind email links are secrets, so nothing is prefetched from them.
 * @param styles their style sheet, exactly as in the documents
 */
export function linkPageHeaders(styles: string): Record<string, string> {
	const { "speculation-rules": _, ...headers } = pageHeaders(styles);
	return headers;
}

/** Allows the one inline style sheet by hash, and no inline script. */
function pageHeaders(styles: string): Record<string, string> {
	const policy = [
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
		// The Trusted Types policy with which the engine starts its worker.
		"trusted-types engine",
	];
	return {
		"content-security-policy": policy.join("; "),
		...isolationHeaders,
		"referrer-policy": "strict-origin-when-cross-origin",
		// Sent as a header: in the page, the rules would be an inline script.
		"speculation-rules": '"/speculation.json"',
		"x-content-type-options": "nosniff",
		"x-frame-options": "DENY",
	};
}

/** A worker needs the embedder policy of its page. Files opened directly may load nothing. */
const fileHeaders: Record<string, string> = {
	"content-security-policy": "default-src 'none'; frame-ancestors 'none'",
	"cross-origin-embedder-policy": "require-corp",
	"cross-origin-resource-policy": "same-origin",
};
