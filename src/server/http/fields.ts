import type { Call } from "./call.ts";

/** Why the fields of a call cannot be used. */
export interface Refusal {
	status: 400 | 403 | 413 | 415;
	error: string;
}

/** The media type of JSON: the only one that programs may send. */
export const JSON_TYPE = "application/json";

/**
 * What is said about each body that cannot be read.
 *
 * @param what is to be sent, in a sentence
 */
export const bodyRefusals = (what: string) =>
	({
		"no JSON": { status: 415, error: `Please send ${what} as JSON (${JSON_TYPE}).` },
		encoded: { status: 415, error: `Please send ${what} without a content encoding.` },
		"too large": { status: 413, error: "The request is larger than it needs to be." },
		"not UTF-8": { status: 400, error: `Please send ${what} as UTF-8.` },
		"cut off": { status: 400, error: "The request ended too early." },
		"no object": { status: 400, error: `Please send a JSON object with ${what}.` },
	}) as const;

export type BodyRefusals = ReturnType<typeof bodyRefusals>;

/** The fields of an object itself, whatever it inherits. */
export type Own = Pick<ReadonlyMap<string, unknown>, "get">;

/**
 * Reads the own fields of a JSON object: `__proto__` in a body is a field like any other.
 *
 * @param type the {@link mediaType} of the request
 * @param refusals what to say where there is none
 */
export async function readObject(
	call: Call,
	type: string,
	refusals: BodyRefusals,
): Promise<Own | Refusal> {
	if (type !== JSON_TYPE) return refusals["no JSON"];
	const body = await readText(call, refusals);
	if (!("text" in body)) return body;
	const object = parseObject(body.text);
	return object ? ownOf(object) : refusals["no object"];
}

/** Not a Map of its entries, which took half as long as parsing. */
function ownOf(object: Readonly<Record<string, unknown>>): Own {
	return { get: (name) => (Object.hasOwn(object, name) ? object[name] : undefined) };
}

/** Reads the text of a body, or says why there is none. */
export async function readText(
	call: Call,
	refusals: BodyRefusals,
	mostBytes?: number,
): Promise<{ text: string } | Refusal> {
	if (call.header("content-encoding") !== null) return refusals.encoded;
	const body = await call.readBody(mostBytes);
	return "refused" in body ? refusals[body.refused] : body;
}

/** The type without its parameters; empty when a charset is named that is not UTF-8 (RFC 8259, 8.1). */
export function mediaType(call: Call): string {
	const header = call.header("content-type") ?? "";
	if (header === JSON_TYPE) return header;
	const [type, ...parameters] = header.toLowerCase().split(";");
	const charset = parameters.find((parameter) => parameter.trim().startsWith("charset="));
	return charset === undefined || /=\s*"?utf-?8"?\s*$/.test(charset) ? type!.trim() : "";
}

function parseObject(text: string): Record<string, unknown> | undefined {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return undefined;
	}
	const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
	return isObject ? (value as Record<string, unknown>) : undefined;
}
