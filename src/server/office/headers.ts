import { isolation, nosniff } from "../http/responses.ts";

/** What a page of the office shows besides itself. */
export interface Framing {
	/** It holds frames of the office. */
	frames?: boolean;
	/** It is shown in one. */
	framed?: boolean;
}

/**
 * The headers of every page of the office. The policy allows the one style sheet and its fonts, the mark,
 * and forms that lead to the office: no script, from anywhere.
 *
 * The referrer goes to the office alone. Under `no-referrer` browsers would send `Origin: null` with
 * its own forms (Fetch, 3.1), which are then refused.
 */
export function pageHeaders({ frames = false, framed = false }: Framing = {}) {
	const policy = [
		"default-src 'none'",
		"style-src 'self'",
		"font-src 'self'",
		"img-src 'self'",
		...(frames ? ["frame-src 'self'"] : []),
		"form-action 'self'",
		"base-uri 'none'",
		`frame-ancestors ${framed ? "'self'" : "'none'"}`,
	];
	return {
		...isolation,
		...nosniff,
		"cache-control": "no-store",
		"content-security-policy": policy.join("; "),
		"content-type": "text/html; charset=utf-8",
		"referrer-policy": "same-origin",
		"x-frame-options": framed ? "SAMEORIGIN" : "DENY",
		"x-robots-tag": "noindex",
	};
}

/**
 * The headers of a letter in its frame. A letter brings its own styles, in elements and attributes as mail
 * programs need them, so that this one policy allows them. It allows nothing else: the sandbox takes
 * scripts, forms, windows and our origin away, also where the letter is opened by itself.
 */
export function letterHeaders() {
	const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; base-uri 'none'";
	return {
		...pageHeaders({ framed: true }),
		"content-security-policy": `${policy}; form-action 'none'; frame-ancestors 'self'`,
		"referrer-policy": "no-referrer",
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
