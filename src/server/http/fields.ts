import { createHash, timingSafeEqual } from "node:crypto";
import type { Call } from "./call.ts";

export interface Refusal {
	status: 400 | 403 | 413 | 415;
	error: string;
}

export const JSON_TYPE = "application/json";

/** @param what as in "an email" */
export const bodyRefusals = (what: string) =>
	({
		"no JSON": { status: 415, error: `Please send ${what} as JSON (${JSON_TYPE}).` },
		encoded: { status: 415, error: `Please send ${what} without a content encoding.` },
		"too large": { status: 413, error: "Request body too large." },
		"not UTF-8": { status: 400, error: `Please send ${what} as UTF-8.` },
		"cut off": { status: 400, error: "The request ended too early." },
		"no object": { status: 400, error: `Please send a JSON object with ${what}.` },
	}) as const;

export type BodyRefusals = ReturnType<typeof bodyRefusals>;

export async function readObject(
	call: Call,
	refusals: BodyRefusals,
): Promise<((name: string) => unknown) | Refusal> {
	if (mediaType(call) !== JSON_TYPE) return refusals["no JSON"];
	const body = await readText(call, refusals);
	if (!("text" in body)) return body;
	const value = parseJson(body.text);
	if (typeof value !== "object" || value === null || Array.isArray(value)) {
		return refusals["no object"];
	}
	const object = value as Record<string, unknown>;
	return (name) => (Object.hasOwn(object, name) ? object[name] : undefined);
}

export async function readText(
	call: Call,
	refusals: BodyRefusals,
	mostBytes?: number,
): Promise<{ text: string } | Refusal> {
	if (call.header("content-encoding") !== null) return refusals.encoded;
	const body = await call.readBody(mostBytes);
	return "refused" in body ? refusals[body.refused] : body;
}

/** Returns "" for a charset other than UTF-8 (RFC 8259, 8.1). */
export function mediaType(call: Call): string {
	const [type, ...parameters] = (call.header("content-type") ?? "").toLowerCase().split(";");
	const charset = parameters.find((parameter) => parameter.trim().startsWith("charset="));
	return charset === undefined || /=\s*"?utf-?8"?\s*$/.test(charset) ? type!.trim() : "";
}

export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Compares secrets of any length in constant time. */
export function isSame(one: Buffer | string, other: Buffer | string): boolean {
	const hashOf = (secret: Buffer | string) => createHash("sha256").update(secret).digest();
	return timingSafeEqual(hashOf(one), hashOf(other));
}

/** RFC 6750, 2.1. Checks all keys each time. */
export function bearerCheck(keys: readonly string[]): (authorization: string | null) => boolean {
	return (authorization) => {
		const [, given = ""] = /^Bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
		return keys.map((key) => isSame(key, given)).includes(true);
	};
}
