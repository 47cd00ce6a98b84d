import { TRAP_FIELD } from "#shared/join.ts";
import { isCrossSite } from "../http/same-site.ts";
import type { Attempt } from "./attempt.ts";

/** What a registration is made of, as sent: unchecked. */
export interface Fields {
	email: unknown;
	source: unknown;
	/** What is in the field that nobody sees. */
	trap: unknown;
}

/** Why a request is no registration. */
export interface Refusal {
	status: 400 | 403 | 413 | 415;
	error: string;
}

const JSON_TYPE = "application/json";

const notJson: Refusal = { status: 400, error: "Please send a JSON object with an email." };
const refusedBodies = {
	"too large": { status: 413, error: "This is more than a registration needs." },
	"not UTF-8": { status: 400, error: "Please send the address as UTF-8." },
	"cut off": { status: 400, error: "The request ended too early." },
} as const satisfies Record<string, Refusal>;

/** The type of the form of a page without JavaScript, which wants a page for an answer. */
export const FORM_TYPE = "application/x-www-form-urlencoded";

/**
 * Reads the fields of a registration from JSON, or from the form of a page.
 *
 * @param type what {@link mediaType} says of the attempt
 */
export async function readFields(attempt: Attempt, type: string): Promise<Fields | Refusal> {
	if (isCrossSite(attempt)) return { status: 403, error: "Please join from our own page." };
	if (type !== FORM_TYPE && type !== JSON_TYPE) {
		return { status: 415, error: `Please send the address as JSON (${JSON_TYPE}).` };
	}
	if (attempt.header("content-encoding") !== null) {
		return { status: 415, error: "Please send the address without a content encoding." };
	}
	const body = await attempt.readBody();
	if ("refused" in body) return refusedBodies[body.refused];
	return type === FORM_TYPE ? parseForm(body.text) : (parseJson(body.text) ?? notJson);
}

/** The type without its parameters; a charset other than UTF-8 makes it unknown (RFC 8259, 8.1). */
export function mediaType(attempt: Attempt): string {
	const header = attempt.header("content-type") ?? "";
	if (header === JSON_TYPE) return header;
	const [type, ...parameters] = header.toLowerCase().split(";");
	const charset = parameters.find((parameter) => parameter.trim().startsWith("charset="));
	return charset === undefined || /=\s*"?utf-?8"?\s*$/.test(charset) ? type!.trim() : "";
}

function parseForm(text: string): Fields {
	const form = new URLSearchParams(text);
	const field = (name: string) => form.get(name) ?? undefined;
	return { email: field("email"), source: field("source"), trap: field(TRAP_FIELD) };
}

/** Own properties only: a body may name `__proto__` what it likes. */
function parseJson(text: string): Fields | undefined {
	let body: unknown;
	try {
		body = JSON.parse(text);
	} catch {
		return undefined;
	}
	if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
	const fields = body as Record<string, unknown>;
	const own = (name: string) => (Object.hasOwn(fields, name) ? fields[name] : undefined);
	return { email: own("email"), source: own("source"), trap: own(TRAP_FIELD) };
}
