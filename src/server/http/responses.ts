import type { RefusedAnswer } from "#shared/join.ts";

export type Headers = Readonly<Record<string, string>>;

export const nosniff = { "x-content-type-options": "nosniff" };

/** No other site shares the process of a page, embeds it or opens it in a window. */
export const isolation: Headers = {
	"cross-origin-embedder-policy": "require-corp",
	"cross-origin-opener-policy": "same-origin",
	"cross-origin-resource-policy": "same-origin",
	"permissions-policy":
		"accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=(), browsing-topics=()",
};

export const jsonHeaders = {
	"content-type": "application/json",
	"cache-control": "no-store",
	// Opened as a document it may load nothing, and no other site may embed it.
	"content-security-policy": "default-src 'none'; frame-ancestors 'none'",
	"cross-origin-resource-policy": "same-origin",
	...nosniff,
};

export const jsonReply = (status: number, body: object, more?: Headers): Response =>
	new Response(JSON.stringify(body), { status, headers: { ...jsonHeaders, ...more } });

export const refusal = (status: number, error: string, more?: Headers): Response =>
	jsonReply(status, { error } satisfies RefusedAnswer, more);

export const tryLater = (status: 429 | 503, error: string, seconds: number): Response =>
	refusal(status, error, retryAfter(seconds));

export const retryAfter = (seconds: number) => ({ "retry-after": `${seconds}` });

export const notAllowed = (allow: string): Response =>
	refusal(405, `Only ${allow.replace(/, (?=\w+$)/, " and ")} can be used here.`, { allow });
