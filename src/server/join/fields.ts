import { UNSTORABLE } from "#shared/email.ts";
import { REF_FIELD, refIn, SOURCE_MAX_LENGTH, TRAP_FIELD } from "#shared/join.ts";
import { type JoinRequest, pageQuery } from "./join-request.ts";

/** What a visitor sends to join, unchecked. */
export interface Fields {
	email: unknown;
	source: unknown;
	/** Where a link says that the visitor came from. */
	ref: unknown;
	/** Content of the hidden field, which only programs fill in. */
	trap: unknown;
}

/** Why a request cannot become a registration. */
export interface Refusal {
	status: 400 | 403 | 413 | 415;
	error: string;
}

const JSON_TYPE = "application/json";

/** What is said about each body that cannot be read. */
export type BodyRefusals = Readonly<
	Record<"no JSON" | "encoded" | "too large" | "not UTF-8" | "cut off" | "no object", Refusal>
>;

const refusals: BodyRefusals = {
	"no JSON": { status: 415, error: `Please send the address as JSON (${JSON_TYPE}).` },
	encoded: { status: 415, error: "Please send the address without a content encoding." },
	"too large": { status: 413, error: "This is more than a registration needs." },
	"not UTF-8": { status: 400, error: "Please send the address as UTF-8." },
	"cut off": { status: 400, error: "The request ended too early." },
	"no object": { status: 400, error: "Please send a JSON object with an email." },
};

/** What a form without JavaScript sends. It gets a page in response. */
export const FORM_TYPE = "application/x-www-form-urlencoded";

/**
 * Reads the fields from JSON, or from a form without JavaScript.
 *
 * @param type the {@link mediaType} of the request
 */
export async function readFields(request: JoinRequest, type: string): Promise<Fields | Refusal> {
	if (type === FORM_TYPE) {
		const body = await readText(request, refusals);
		return "text" in body ? parseForm(body.text, request) : body;
	}
	const own = await readObject(request, type, refusals);
	if ("status" in own) return own;
	return {
		email: own.get("email"),
		source: own.get("source"),
		ref: own.get(REF_FIELD),
		trap: own.get(TRAP_FIELD),
	};
}

/**
 * Reads the fields of a JSON object. Of a body that holds `__proto__` they are its own.
 *
 * @param type the {@link mediaType} of the request
 * @param refusals what to say where there is none
 */
export async function readObject(
	request: JoinRequest,
	type: string,
	refusals: BodyRefusals,
): Promise<ReadonlyMap<string, unknown> | Refusal> {
	if (type !== JSON_TYPE) return refusals["no JSON"];
	const body = await readText(request, refusals);
	if (!("text" in body)) return body;
	const object = parseObject(body.text);
	return object ? new Map(Object.entries(object)) : refusals["no object"];
}

async function readText(
	request: JoinRequest,
	refusals: BodyRefusals,
): Promise<{ text: string } | Refusal> {
	if (request.header("content-encoding") !== null) return refusals.encoded;
	const body = await request.readBody();
	return "refused" in body ? refusals[body.refused] : body;
}

/** The type without its parameters; empty when a charset is named that is not UTF-8 (RFC 8259, 8.1). */
export function mediaType(request: JoinRequest): string {
	const header = request.header("content-type") ?? "";
	if (header === JSON_TYPE) return header;
	const [type, ...parameters] = header.toLowerCase().split(";");
	const charset = parameters.find((parameter) => parameter.trim().startsWith("charset="));
	return charset === undefined || /=\s*"?utf-?8"?\s*$/.test(charset) ? type!.trim() : "";
}

/** The page is the same for everybody: only its address says where the visitor came from. */
function parseForm(text: string, request: JoinRequest): Fields {
	const form = new URLSearchParams(text);
	const field = (name: string) => form.get(name) ?? undefined;
	return {
		email: field("email"),
		source: field("source"),
		ref: field(REF_FIELD) ?? (form.has("source") ? undefined : refIn(pageQuery(request))),
		trap: field(TRAP_FIELD),
	};
}

function parseObject(text: string): object | undefined {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return undefined;
	}
	return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
}

/** Why a source is refused. */
export const SOURCE_INVALID = `The source must be 1 to ${SOURCE_MAX_LENGTH} printable characters.`;

/** Combining marks and spaces show nothing by themselves, nor does what no address may hold. */
const VISIBLE = new RegExp(`(?!${UNSTORABLE.source})[\\p{L}\\p{N}\\p{P}\\p{S}]`, "u");

/** Whether a value can be a source: the label of the site that a registration came from. */
export function isSourceLabel(source: unknown): source is string {
	return (
		typeof source === "string" &&
		source.length <= SOURCE_MAX_LENGTH &&
		// Of the symbols, U+FFFD stands for what could not be read.
		/^(?:(?!\uFFFD)[\p{L}\p{M}\p{N}\p{P}\p{S} ])+$/u.test(source) &&
		VISIBLE.test(source)
	);
}
