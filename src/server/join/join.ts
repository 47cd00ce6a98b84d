import { domainToASCII } from "node:url";
import { brand } from "#brand";
import { canonicalEmail, EMAIL_MISSING } from "#shared/email.ts";
import { DUPLICATE_ERROR, type JoinedAnswer, SOURCE } from "#shared/join.ts";
import { type Answer, failure, jsonAnswer, nosniff, refusal } from "../http/responses.ts";
import type { Report } from "../log.ts";
import type { Waitlist } from "../waitlist/waitlist.ts";
import type { Attempt } from "./attempt.ts";
import { type Fields, FORM_TYPE, mediaType, type Refusal, readFields } from "./fields.ts";
import type { Limited, LimitScope } from "./limiter.ts";
import { type OutcomePages, refusedPage } from "./outcome-pages.ts";
import { isSourceLabel, SOURCE_INVALID } from "./source-label.ts";

/** How soon a visitor may try again when the database cannot write: a lock passes within that. */
const RETRY_AFTER_SECONDS = 5;

/** What a registration leads to: a status, and a sentence for all but success. */
type End =
	| { status: 201 }
	| Refusal
	| { status: 409; error: string }
	| { status: 429 | 503; error: string; retryAfter: number };

/** What registering takes. */
export interface RegisterSettings {
	waitlist: Waitlist;
	outcomePages: OutcomePages;
	/** The wall clock, for the time of a registration: ISO 8601 in UTC. */
	now: () => string;
	/** The limits on how often somebody may try to join. */
	admit: Admit;
	report: Report;
}

/** Says whether an attempt comes too soon. */
export type Admit = (attempt: Attempt) => Limited | undefined;

/** Answers an attempt to join, whatever happens. */
export type Register = (attempt: Attempt) => Promise<Answer>;

const tooMany: Record<LimitScope, string> = {
	address: "Too many tries from your address.",
	network: "Too many tries from your network.",
	global: "More people are joining than we can take right now.",
};

/**
 * Answers `POST /api/waitlist/register` (promise 21): JSON to scripts, and a page with the
 * same message and status to the form of a browser without JavaScript.
 */
export function registration(settings: RegisterSettings): Register {
	const { waitlist, outcomePages, now, admit, report } = settings;

	async function enrol({ email, source = SOURCE, trap }: Fields): Promise<End> {
		if (typeof email !== "string") return { status: 400, error: EMAIL_MISSING };
		const address = canonicalEmail(email, domainToASCII);
		if ("error" in address) return { status: 400, error: address.error };
		if (!isSourceLabel(source)) return { status: 400, error: SOURCE_INVALID };
		const outcome = await waitlist.register({
			// Named one by one: what is added to a spread object takes V8 ten times as long.
			key: address.key,
			email: address.email,
			source,
			createdAt: now(),
			terms: brand.legalEffectiveDate,
			flags: isFilled(trap) ? "trap" : "",
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

	return async (attempt) => {
		try {
			const type = mediaType(attempt);
			const answer = type === FORM_TYPE ? asPage : asJson;
			const limited = admit(attempt);
			if (limited) return answer(comeBackLater(limited), "", outcomePages);
			const fields = await readFields(attempt, type);
			if ("status" in fields) return answer(fields, "", outcomePages);
			return answer(await enrol(fields), fields.email, outcomePages);
		} catch (error) {
			return failure(report, attempt.requestId, error);
		}
	};
}

function comeBackLater({ scope, retryAfter }: Limited): End {
	const [n, unit] =
		retryAfter <= 90 ? [retryAfter, "second"] : [Math.ceil(retryAfter / 60), "minute"];
	const wait = `${n} ${unit}${n === 1 ? "" : "s"}`;
	return { status: 429, error: `${tooMany[scope]} Please try again in ${wait}.`, retryAfter };
}

/** Scripts may send anything for it. */
function isFilled(trap: unknown): boolean {
	return trap !== undefined && trap !== null && trap !== "";
}

const welcome = jsonAnswer(201, { status: "registered" } satisfies JoinedAnswer);

function asJson(end: End): Answer {
	return end.status === 201 ? welcome : refusal(end.status, end.error, retryAfter(end));
}

function asPage(end: End, typed: unknown, pages: OutcomePages): Answer {
	return {
		status: end.status,
		headers: {
			...pages.headers,
			"content-type": "text/html; charset=utf-8",
			"cache-control": "no-store",
			...nosniff,
			...retryAfter(end),
		},
		body: pageOf(end, typeof typed === "string" ? typed : "", pages),
	};
}

function pageOf(end: End, typed: string, pages: OutcomePages): string {
	switch (end.status) {
		case 201:
			return pages.registered;
		case 409:
			return pages.duplicate;
		default:
			return refusedPage(pages, end.error, typed);
	}
}

function retryAfter(end: End): Record<string, string> {
	return "retryAfter" in end ? { "retry-after": String(end.retryAfter) } : {};
}
