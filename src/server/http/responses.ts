import { FAILED_MESSAGE, type RefusedAnswer } from "#shared/join.ts";
import type { Log } from "../log.ts";

/** A response as plain values, from which Node's and the fetch API's are both made. */
export interface Reply {
	status: number;
	/** Names in lower case. */
	headers: Readonly<Record<string, string>>;
	body: string;
}

/** On every response: browsers must not guess its type. */
export const nosniff = { "x-content-type-options": "nosniff" };

/** On every page of ours: no other site shares its process, embeds it or opens it as a window of its own. */
export const isolation: Readonly<Record<string, string>> = {
	"cross-origin-embedder-policy": "require-corp",
	"cross-origin-opener-policy": "same-origin",
	"cross-origin-resource-policy": "same-origin",
	"permissions-policy":
		"accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=(), browsing-topics=()",
};

const headers = {
	"content-type": "application/json",
	"cache-control": "no-store",
	// Opened as a document it may load nothing, and no other site may embed it.
	"content-security-policy": "default-src 'none'; frame-ancestors 'none'",
	"cross-origin-resource-policy": "same-origin",
	...nosniff,
};

/** A response of the API. */
export function jsonReply(
	status: number,
	body: object,
	more?: Readonly<Record<string, string>>,
): Reply {
	return { status, headers: more ? { ...headers, ...more } : headers, body: JSON.stringify(body) };
}

/** A response of the API that refuses, with a sentence for a person. */
export function refusal(
	status: number,
	error: string,
	more?: Readonly<Record<string, string>>,
): Reply {
	return jsonReply(status, { error } satisfies RefusedAnswer, more);
}

/** A refusal for a while: too many calls (429), or nothing can be stored now (503). */
export const tryLater = (status: 429 | 503, error: string, seconds: number): Reply =>
	refusal(status, error, retryAfter(seconds));

export const retryAfter = (seconds: number) => ({ "retry-after": `${seconds}` });

/** @param allow the methods that may be used, as in `GET, HEAD` */
export function notAllowed(allow: string): Response {
	const [last, ...others] = allow.split(", ").reverse();
	const names = others.length > 0 ? `${others.reverse().join(", ")} and ${last}` : last;
	return responseOf(refusal(405, `Only ${names} can be used here.`, { allow }));
}

/** The response to a fault of ours. The fault is logged with the id of the request. */
export function failure(log: Log, id: string | undefined, error: unknown): Reply {
	log("error", "request failed", { id, error });
	return refusal(500, FAILED_MESSAGE);
}

/** The same for the fetch API. Its headers are a plain object, which node-server sends fastest. */
export function responseOf({ status, headers, body }: Reply): Response {
	return new Response(body, { status, headers: { ...headers } });
}
