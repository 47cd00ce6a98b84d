import type { RefusedAnswer } from "#shared/waitlist.ts";

const headers = {
	"content-type": "application/json",
	"cache-control": "no-store",
	"x-content-type-options": "nosniff",
};

/** An answer of the API. The headers are a plain object because node-server sends those fastest. */
export function jsonResponse(
	status: number,
	body: object,
	more: Readonly<Record<string, string>> = {},
): Response {
	return new Response(JSON.stringify(body), { status, headers: { ...headers, ...more } });
}

/** An answer of the API that refuses, with a sentence for a person. */
export function refusal(
	status: number,
	error: string,
	more?: Readonly<Record<string, string>>,
): Response {
	return jsonResponse(status, { error } satisfies RefusedAnswer, more);
}
