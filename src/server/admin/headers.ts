import { isolation, nosniff } from "../http/responses.ts";

/**
 * The headers of every page of the office. The policy allows the one style sheet and its fonts, the mark,
 * and forms that lead to the office: no script, from anywhere.
 *
 * The referrer goes to the office alone. Under `no-referrer` browsers would send `Origin: null` with
 * its own forms (Fetch, 3.1), which are then refused.
 *
 * @param letter whether the page holds a letter in a frame. The frame takes the policy of its page, and
 *   a letter brings its own styles, in elements and attributes as mail programs need them. The frame's
 *   sandbox takes scripts, forms, windows and our origin away.
 */
export function pageHeaders({ letter = false } = {}) {
	const policy = [
		"default-src 'none'",
		`style-src 'self'${letter ? " 'unsafe-inline'" : ""}`,
		"font-src 'self'",
		"img-src 'self'",
		"form-action 'self'",
		"base-uri 'none'",
		"frame-ancestors 'none'",
	];
	return {
		...isolation,
		...nosniff,
		"cache-control": "no-store",
		"content-security-policy": policy.join("; "),
		"content-type": "text/html; charset=utf-8",
		"referrer-policy": "same-origin",
		"x-frame-options": "DENY",
		"x-robots-tag": "noindex",
	};
}

/** The headers of a file that a browser keeps and does not show. */
export function downloadHeaders(file: string, type: string): Record<string, string> {
	return {
		...isolation,
		...nosniff,
		"cache-control": "no-store",
		"content-disposition": `attachment; filename="${file}"`,
		"content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
		"content-type": `${type}; charset=utf-8`,
	};
}
