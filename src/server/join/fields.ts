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

const notJson: Refusal = { status: 400, error: "Please send a JSON object with an email." };
const refusedBodies = {
	"too large": { status: 413, error: "This is more than a registration needs." },
	"not UTF-8": { status: 400, error: "Please send the address as UTF-8." },
	"cut off": { status: 400, error: "The request ended too early." },
} as const satisfies Record<string, Refusal>;

/** What a form without JavaScript sends. It gets a page in response. */
export const FORM_TYPE = "application/x-www-form-urlencoded";

/**
 * Reads the fields from JSON, or from a form without JavaScript.
 *
 * @param type the {@link mediaType} of the request
 */
export async function readFields(request: JoinRequest, type: string): Promise<Fields | Refusal> {
	if (type !== FORM_TYPE && type !== JSON_TYPE) {
		return { status: 415, error: `Please send the address as JSON (${JSON_TYPE}).` };
	}
	if (request.header("content-encoding") !== null) {
		return { status: 415, error: "Please send the address without a content encoding." };
	}
	const body = await request.readBody();
	if ("refused" in body) return refusedBodies[body.refused];
	return type === FORM_TYPE ? parseForm(body.text, request) : (parseJson(body.text) ?? notJson);
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

/** Own properties only: a body may contain `__proto__`. */
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
	return {
		email: own("email"),
		source: own("source"),
		ref: own(REF_FIELD),
		trap: own(TRAP_FIELD),
	};
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
		/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u.test(source) &&
		VISIBLE.test(source)
	);
}
