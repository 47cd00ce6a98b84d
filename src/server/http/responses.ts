import type { RefusedAnswer } from "#shared/join.ts";

export type Headers = Readonly<Record<string, string>>;

export const nosniff = { "x-content-type-options": "nosniff" };

/** Keeps other sites from sharing a process with our pages, embedding them, or accessing their window. */
export const isolationHeaders: Headers = {
	"cross-origin-embedder-policy": "require-corp",
	"cross-origin-opener-policy": "same-origin",
	"cross-origin-resource-policy": "same-origin",
	"permissions-policy":
		"accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=(), browsing-topics=()",
};

export const jsonHeaders = {
	"content-type": "application/json",
	"cache-control": "no-store",
	// If opened as a document, the response loads nothing and cannot be embedded.
	"content-security-policy": "default-src 'none'; frame-ancestors 'none'",
	"cross-origin-resource-policy": "same-origin",
	...nosniff,
};

export const jsonReply = (status: number, body: object, more?: Headers): Response =>
	new Response(JSON.stringify(body), { status, headers: { ...jsonHeaders, ...more } });

export const errorReply = (status: number, error: string, more?: Headers): Response =>
	jsonReply(status, { error } satisfies RefusedAnswer, more);

export const tryLaterReply = (status: 429 | 503, error: string, seconds: number): Response =>
	errorReply(status, error, retryAfterHeader(seconds));

export const retryAfterHeader = (seconds: number) => ({ "retry-after": `${seconds}` });

export const methodNotAllowed = (allow: string): Response =>
	errorReply(405, `Method not allowed: use ${allow.replace(/, (?=\w+$)/, " or ")}.`, { allow });
