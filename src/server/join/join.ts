import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { canonicalizeEmail } from "#shared/email.ts";
import {
	DEFAULT_SOURCE,
	HONEYPOT_FIELD,
	type JoinedAnswer,
	REF_FIELD,
	readReferringSite,
} from "#shared/join.ts";
import { errors, words } from "#words";
import {
	type Call,
	createBodyErrors,
	isCrossSite,
	mediaType,
	type RequestRefusal,
	readBodyObject,
	readBodyText,
	referrerQuery,
} from "../http/call.ts";
import type { JoinLimiter } from "../http/limits.ts";
import { errorReply, jsonReply, nosniff, retryAfterHeader } from "../http/responses.ts";
import { BURST_FLAG, HONEYPOT_FLAG } from "../registrations/flags.ts";
import { isSourceLabel, SOURCE_INVALID, type Waitlist } from "../registrations/registrations.ts";
import { asciiDomain } from "../text/ascii-domain.ts";
import { escapeHtml } from "../text/html.ts";
import { isoOf } from "../time.ts";

interface JoinReply {
	status: 201 | 400 | 403 | 409 | 413 | 415 | 429 | 503;
	/** Whether a confirmation email is on its way. */
	confirm?: boolean;
	error?: string;
	retryAfter?: number;
}

/** Retry after 5 s: by then, database locks have timed out. */
const UNAVAILABLE: JoinReply = { status: 503, error: errors.unavailable, retryAfter: 5 };

export interface OutcomePages {
	/** With a placeholder `{{confirm}}`. */
	registered: string;
	duplicate: string;
	/** Form with placeholders `{{error}}`, `{{email}}` and `{{ref}}`. */
	refused: string;
	headers: Readonly<Record<string, string>>;
}

export async function readOutcomePages(
	folder: string,
	headers: OutcomePages["headers"],
): Promise<OutcomePages> {
	const read = (name: string) => readFile(join(folder, `${name}.html`), "utf8");
	const [registered, duplicate] = [await read("registered"), await read("duplicate")];
	return { registered, duplicate, refused: await read("refused"), headers };
}

interface Fields {
	email: unknown;
	source: unknown;
	ref: unknown;
	honeypot: unknown;
}

export type JoinHandler = (call: Call) => Promise<Response>;

const FORM_TYPE = "application/x-www-form-urlencoded";

const refusals = createBodyErrors("an email address");

const CROSS_SITE: RequestRefusal = { status: 403, error: errors.crossSite };

interface JoinSettings {
	waitlist: Waitlist;
	outcomePages: OutcomePages;
	terms: string;
	admitJoin: JoinLimiter;
	/** Whether unflagged people are sent a confirmation email. */
	asks: boolean;
}

/** Handles `POST /api/waitlist/register`: returns JSON, or a page to forms without JavaScript. */
export function createJoin({
	waitlist,
	outcomePages,
	terms,
	admitJoin,
	asks,
}: JoinSettings): JoinHandler {
	async function save(
		{ email, source = DEFAULT_SOURCE, ref, honeypot }: Fields,
		isInBurst: boolean,
	): Promise<JoinReply> {
		if (typeof email !== "string") return { status: 400, error: words.messages.emailMissing };
		const address = canonicalizeEmail(email, asciiDomain);
		if ("error" in address) return { status: 400, error: address.error };
		if (!isSourceLabel(source)) return { status: 400, error: SOURCE_INVALID };
		// Scripts may send any JSON value in the honeypot.
		const flag = (honeypot ?? "") !== "" ? HONEYPOT_FLAG : isInBurst ? BURST_FLAG : "";
		const outcome = await waitlist.join({
			// No spread: V8 takes ten times as long to add fields to a spread object.
			key: address.key,
			email: address.email,
			source: isSourceLabel(ref) ? ref : source,
			joinedAt: isoOf(Date.now()),
			terms,
			flag,
		});
		switch (outcome) {
			case "registered":
				return { status: 201, confirm: asks && flag === "" };
			case "duplicate":
				return { status: 409, error: errors.duplicate };
			case "unavailable":
				return UNAVAILABLE;
		}
	}

	return async (call) => {
		const isForm = mediaType(call) === FORM_TYPE;
		const reply = (outcome: JoinReply, fields?: Fields) =>
			isForm ? asPage(outcome, call, outcomePages, fields) : asJson(outcome);
		// Checked before the limits, so that another site's page cannot use up its visitors' allowance.
		if (isCrossSite(call)) return reply(CROSS_SITE);
		const found = admitJoin(call);
		if (found !== 0 && found !== "burst") return reply(comeBackIn(found));
		const fields = await readFields(call, isForm);
		if ("status" in fields) return reply(fields);
		return reply(await save(fields, found === "burst"), fields);
	};
}

async function readFields(call: Call, isForm: boolean): Promise<Fields | RequestRefusal> {
	let field: (name: string) => unknown;
	if (isForm) {
		const body = await readBodyText(call, refusals);
		if (!("text" in body)) return body;
		const form = new URLSearchParams(body.text);
		field = (name) => form.get(name) ?? undefined;
	} else {
		const read = await readBodyObject(call, refusals);
		if (typeof read !== "function") return read;
		field = read;
	}
	const source = field("source");
	// Without JavaScript, only the URL of the form's page names the referring site.
	const pageRef =
		isForm && source === undefined ? readReferringSite(referrerQuery(call)) : undefined;
	const ref = field(REF_FIELD) ?? pageRef;
	return { email: field("email"), source, ref, honeypot: field(HONEYPOT_FIELD) };
}

function comeBackIn(seconds: number): JoinReply {
	const error = `${errors.tooManyAttempts} ${errors.tryAgainIn(seconds)}`;
	return { status: 429, error, retryAfter: seconds };
}

const wait = ({ retryAfter: seconds }: JoinReply) => (seconds ? retryAfterHeader(seconds) : {});

const asJson = (outcome: JoinReply): Response =>
	outcome.error === undefined
		? jsonReply(201, {
				status: "registered",
				...(outcome.confirm && { confirm: true }),
			} satisfies JoinedAnswer)
		: errorReply(outcome.status, outcome.error, wait(outcome));

/** Fills all placeholders in one pass, so that those typed by visitors stay text. */
const fill = (page: string, texts: Readonly<Record<string, string>>) =>
	page.replace(/\{\{(\w+)\}\}/g, (_, name: string) => escapeHtml(texts[name]!));

function asPage(
	outcome: JoinReply,
	call: Call,
	pages: OutcomePages,
	fields?: Pick<Fields, "email" | "ref">,
): Response {
	const { email, ref } = fields ?? { email: "", ref: readReferringSite(referrerQuery(call)) };
	const page = () => {
		if (outcome.error === undefined) {
			return fill(pages.registered, { confirm: outcome.confirm ? words.messages.confirm : "" });
		}
		if (outcome.status === 409) return pages.duplicate;
		return fill(pages.refused, {
			error: outcome.error,
			email: typeof email === "string" ? email : "",
			ref: isSourceLabel(ref) ? ref : "",
		});
	};
	return new Response(page(), {
		status: outcome.status,
		headers: {
			...pages.headers,
			"content-type": "text/html; charset=utf-8",
			"cache-control": "no-store",
			...nosniff,
			...wait(outcome),
		},
	});
}
