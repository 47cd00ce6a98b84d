import { canonicalEmail, EMAIL_MISSING } from "#shared/email.ts";
import { DUPLICATE_ERROR, type JoinedAnswer, refIn, SOURCE } from "#shared/join.ts";
import { type Call, isCrossSite, pageQuery } from "../http/call.ts";
import { mediaType, type Refusal } from "../http/fields.ts";
import { type AdmitJoin, isLimited, type Limited, type LimitScope } from "../http/limits.ts";
import { failure, jsonReply, nosniff, type Reply, refusal, retryAfter } from "../http/responses.ts";
import { type Log, timestamp } from "../log.ts";
import { BURST, HONEYPOT } from "../registrations/flags.ts";
import { isSourceLabel, SOURCE_INVALID } from "../registrations/source.ts";
import type { Waitlist } from "../registrations/waitlist.ts";
import { asciiDomain } from "../text/ascii-domain.ts";
import { type Fields, FORM_TYPE, readFields } from "./fields.ts";
import { type OutcomePages, refusedPage, type Typed } from "./outcome-pages.ts";

/** When to try again after the database could not write: a lock is gone within that time. */
const RETRY_AFTER_SECONDS = 5;

/** What a join leads to: a status, and a sentence for all but success. */
type JoinVerdict =
	| { status: 201 }
	| Refusal
	| { status: 409; error: string }
	| { status: 429 | 503; error: string; retryAfter: number };

/** What joining takes. */
export interface JoinSettings {
	waitlist: Waitlist;
	outcomePages: OutcomePages;
	/** What is shown to visitors who join, as registrations name it. */
	terms: string;
	admitJoin: AdmitJoin;
	log: Log;
}

/** Replies to a call to join, whatever happens. */
export type Join = (call: Call) => Promise<Reply>;

const CROSS_SITE: Refusal = { status: 403, error: "Please join from our own page." };

const tooMany: Record<LimitScope, string> = {
	address: "Too many tries from your address.",
	network: "Too many tries from your network.",
	global: "More people are joining than we can take right now.",
};

/**
 * Replies to `POST /api/waitlist/register` (promise 21): with JSON to scripts, and to a form
 * without JavaScript with a page that has the same message and status.
 */
export function createJoin({ waitlist, outcomePages, terms, admitJoin, log }: JoinSettings): Join {
	async function keep(
		{ email, source = SOURCE, ref, honeypot }: Fields,
		isInBurst: boolean,
	): Promise<JoinVerdict> {
		if (typeof email !== "string") return { status: 400, error: EMAIL_MISSING };
		const address = canonicalEmail(email, asciiDomain);
		if ("error" in address) return { status: 400, error: address.error };
		if (!isSourceLabel(source)) return { status: 400, error: SOURCE_INVALID };
		const outcome = await waitlist.join({
			// Names each field, because V8 takes ten times as long to add to a spread object.
			key: address.key,
			email: address.email,
			source: isSourceLabel(ref) ? ref : source,
			joinedAt: timestamp(),
			terms,
			// The honeypot wins: it tells about this form, a burst only about its network.
			flag: isFilled(honeypot) ? HONEYPOT : isInBurst ? BURST : "",
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

	return async (call) => {
		try {
			const type = mediaType(call);
			const reply = type === FORM_TYPE ? asPage : asJson;
			// Comes before the limits, so that another site's page cannot use up the allowance of
			// its visitors.
			if (isCrossSite(call)) return reply(CROSS_SITE, call, outcomePages);
			const found = admitJoin(call);
			if (found && isLimited(found)) return reply(comeBackLater(found), call, outcomePages);
			const fields = await readFields(call, type);
			if ("status" in fields) return reply(fields, call, outcomePages);
			return reply(await keep(fields, found !== undefined), call, outcomePages, fields);
		} catch (error) {
			return failure(log, call.requestId, error);
		}
	};
}

function comeBackLater({ scope, retryAfter }: Limited): JoinVerdict {
	const [n, unit] =
		retryAfter <= 90 ? [retryAfter, "second"] : [Math.ceil(retryAfter / 60), "minute"];
	const time = `${n} ${unit}${n === 1 ? "" : "s"}`;
	return { status: 429, error: `${tooMany[scope]} Please try again in ${time}.`, retryAfter };
}

/** A script may send any JSON value as the honeypot. */
function isFilled(honeypot: unknown): boolean {
	return honeypot !== undefined && honeypot !== null && honeypot !== "";
}

const welcome = jsonReply(201, { status: "registered" } satisfies JoinedAnswer);

function asJson(result: JoinVerdict): Reply {
	return result.status === 201 ? welcome : refusal(result.status, result.error, wait(result));
}

function asPage(result: JoinVerdict, call: Call, pages: OutcomePages, fields?: Fields): Reply {
	return {
		status: result.status,
		headers: {
			...pages.headers,
			"content-type": "text/html; charset=utf-8",
			"cache-control": "no-store",
			...nosniff,
			...wait(result),
		},
		body: pageOf(result, typedIn(call, fields), pages),
	};
}

/**
 * What the form held. Without a body that could be read, only the source, from the address of its
 * page.
 */
function typedIn(call: Call, fields?: Fields): Typed {
	const { email, ref } = fields ?? { email: "", ref: refIn(pageQuery(call)) };
	return {
		email: typeof email === "string" ? email : "",
		ref: isSourceLabel(ref) ? ref : "",
	};
}

function pageOf(result: JoinVerdict, typed: Typed, pages: OutcomePages): string {
	switch (result.status) {
		case 201:
			return pages.registered;
		case 409:
			return pages.duplicate;
		default:
			return refusedPage(pages, result.error, typed);
	}
}

const wait = (result: JoinVerdict) => ("retryAfter" in result ? retryAfter(result.retryAfter) : {});
