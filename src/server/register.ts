import { domainToASCII } from "node:url";
import { brand } from "#brand";
import { canonicalEmail, EMAIL_MISSING } from "#shared/email.ts";
import { DUPLICATE_ERROR, type RegisteredAnswer, SOURCE } from "#shared/waitlist.ts";
import { jsonResponse, refusal } from "./answers.ts";
import { readBody } from "./body.ts";
import { type OutcomePages, refusedPage } from "./outcome-pages.ts";
import { isCrossSite } from "./same-site.ts";
import type { Waitlist } from "./waitlist/waitlist.ts";

/** The longest label of a site that is kept. */
const SOURCE_MAX_LENGTH = 64;

/** How soon a visitor may try again when the database cannot write: a lock passes within that. */
const RETRY_AFTER_SECONDS = 5;

/** What a registration is made of, still unchecked. */
type Fields = { email: unknown; source: unknown };

/** The end of a registration: a status, and the sentence for all but success. */
type End =
	| { status: 201 }
	| { status: 400 | 403 | 409 | 413 | 415 | 503; error: string; retryAfter?: number };

interface RegisterSettings {
	waitlist: Waitlist;
	outcomePages: OutcomePages;
	now: () => Date;
}

/**
 * Answers `POST /api/waitlist/register` (SPEC section 7): JSON to scripts, and a page with the
 * same message and status to the form of a browser without JavaScript.
 */
export function register(settings: RegisterSettings): (request: Request) => Promise<Response> {
	const { waitlist, outcomePages, now } = settings;

	return async (request) => {
		const type = mediaType(request);
		const isForm = type === "application/x-www-form-urlencoded";
		let typed = "";
		const end = await registration();
		return isForm ? asPage(end, typed, outcomePages) : asJson(end);

		async function registration(): Promise<End> {
			if (isCrossSite(request)) {
				return { status: 403, error: "Please join from our own page." };
			}
			if (!isForm && type !== "application/json") {
				return { status: 415, error: "Please send the address as JSON (application/json)." };
			}
			if (request.headers.has("content-encoding")) {
				return { status: 415, error: "Please send the address without a content encoding." };
			}
			const body = await readBody(request);
			if ("refused" in body) return refusedBodies[body.refused];
			const fields = isForm ? parseForm(body.text) : parseJson(body.text);
			if (fields === undefined) {
				return { status: 400, error: "Please send a JSON object with an email." };
			}
			if (typeof fields.email !== "string") return { status: 400, error: EMAIL_MISSING };
			typed = fields.email;
			const address = canonicalEmail(typed, domainToASCII);
			if ("error" in address) return { status: 400, error: address.error };
			const source = fields.source ?? SOURCE;
			if (!isLabel(source)) {
				return {
					status: 400,
					error: `The source must be 1 to ${SOURCE_MAX_LENGTH} printable characters.`,
				};
			}
			const outcome = await waitlist.register({
				key: address.key,
				email: address.email,
				source,
				createdAt: now().toISOString(),
				terms: brand.legalEffectiveDate,
			});
			switch (outcome) {
				case "registered":
					return { status: 201 };
				case "duplicate":
					return { status: 409, error: DUPLICATE_ERROR };
				case "unavailable":
					return {
						status: 503,
						error: "We cannot save your address right now. Please try again in a few seconds.",
						retryAfter: RETRY_AFTER_SECONDS,
					};
			}
		}
	};
}

const refusedBodies: Record<"too large" | "not UTF-8" | "cut off", End> = {
	"too large": { status: 413, error: "This is more than a registration needs." },
	"not UTF-8": { status: 400, error: "Please send the address as UTF-8." },
	"cut off": { status: 400, error: "The request ended too early." },
};

/** The type without its parameters; a charset other than UTF-8 makes it unknown (RFC 8259, 8.1). */
function mediaType(request: Request): string {
	const [type, ...parameters] = (request.headers.get("content-type") ?? "")
		.toLowerCase()
		.split(";");
	const charset = parameters.find((parameter) => parameter.trim().startsWith("charset="));
	return charset === undefined || /=\s*"?utf-?8"?\s*$/.test(charset) ? type!.trim() : "";
}

function parseForm(text: string): Fields {
	const form = new URLSearchParams(text);
	return { email: form.get("email") ?? undefined, source: form.get("source") ?? undefined };
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
	const own = (name: string) => Object.getOwnPropertyDescriptor(body, name)?.value as unknown;
	return { email: own("email"), source: own("source") };
}

function isLabel(source: unknown): source is string {
	return (
		typeof source === "string" &&
		source.length <= SOURCE_MAX_LENGTH &&
		/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u.test(source)
	);
}

function asJson(end: End): Response {
	if (end.status === 201)
		return jsonResponse(201, { status: "registered" } satisfies RegisteredAnswer);
	return refusal(end.status, end.error, retryAfter(end));
}

function asPage(end: End, typed: string, pages: OutcomePages): Response {
	const html =
		end.status === 201
			? pages.registered
			: end.status === 409
				? pages.duplicate
				: refusedPage(pages, end.error, typed);
	return new Response(html, {
		status: end.status,
		headers: {
			...pages.headers,
			"content-type": "text/html; charset=utf-8",
			"cache-control": "no-store",
			"x-content-type-options": "nosniff",
			...retryAfter(end),
		},
	});
}

function retryAfter(end: End): Record<string, string> {
	return "retryAfter" in end ? { "retry-after": String(end.retryAfter) } : {};
}
