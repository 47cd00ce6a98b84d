import { HONEYPOT_FIELD, REF_FIELD, refIn } from "#shared/join.ts";
import { type Call, pageQuery } from "../http/call.ts";
import { bodyRefusals, type Refusal, readObject, readText } from "../http/fields.ts";

/** What a visitor sends to join, unchecked. */
export interface Fields {
	email: unknown;
	source: unknown;
	/** Where a link says that the visitor came from. */
	ref: unknown;
	/** Content of the hidden field, which only programs fill in. */
	honeypot: unknown;
}

const refusals = bodyRefusals("an email");

/** What a form without JavaScript sends. It gets a page in response. */
export const FORM_TYPE = "application/x-www-form-urlencoded";

/**
 * Reads the fields from JSON, or from a form without JavaScript.
 *
 * @param type the media type of the request
 */
export async function readFields(call: Call, type: string): Promise<Fields | Refusal> {
	if (type === FORM_TYPE) {
		const body = await readText(call, refusals);
		return "text" in body ? parseForm(body.text, call) : body;
	}
	const own = await readObject(call, type, refusals);
	if ("status" in own) return own;
	return {
		email: own.get("email"),
		source: own.get("source"),
		ref: own.get(REF_FIELD),
		honeypot: own.get(HONEYPOT_FIELD),
	};
}

/** The page is the same for everybody: only its address says where the visitor came from. */
function parseForm(text: string, call: Call): Fields {
	const form = new URLSearchParams(text);
	const field = (name: string) => form.get(name) ?? undefined;
	return {
		email: field("email"),
		source: field("source"),
		ref: field(REF_FIELD) ?? (form.has("source") ? undefined : refIn(pageQuery(call))),
		honeypot: field(HONEYPOT_FIELD),
	};
}
