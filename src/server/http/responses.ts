import { FAILED_MESSAGE, type RefusedAnswer } from "#shared/join.ts";
import type { Report } from "../log.ts";

/** An answer as plain values, for Node's response and for the fetch API's. */
export interface Answer {
	status: number;
	/** Names in lower case. */
	headers: Readonly<Record<string, string>>;
	body: string;
}

/** With every answer that has a body: browsers are not to guess what it is. */
export const nosniff = { "x-content-type-options": "nosniff" };

const headers = {
	"content-type": "application/json",
	"cache-control": "no-store",
	...nosniff,
};

/** An answer of the API. */
export function jsonAnswer(
	status: number,
	body: object,
	more?: Readonly<Record<string, string>>,
): Answer {
	return { status, headers: more ? { ...headers, ...more } : headers, body: JSON.stringify(body) };
}

/** An answer of the API that refuses, with a sentence for a person. */
export function refusal(
	status: number,
	error: string,
	more?: Readonly<Record<string, string>>,
): Answer {
	return jsonAnswer(status, { error } satisfies RefusedAnswer, more);
}

/** The answer to a fault of ours, which is reported with the id of the request. */
export function failure(report: Report, id: string | undefined, error: unknown): Answer {
	report("error", "request failed", { id, error });
	return refusal(500, FAILED_MESSAGE);
}

/** The same for the fetch API. The headers stay plain because node-server sends those fastest. */
export function responseOf({ status, headers, body }: Answer): Response {
	return new Response(body, { status, headers: { ...headers } });
}
