import type { Call } from "../../http/call.ts";
import { statusIn, subjectOf } from "../smtp/status.ts";

/** What a provider says became of an email that it had accepted. */
export interface Feedback {
	/** It bounced for good, its person called it spam, or the receiver refuses us. */
	kind: "bounce" | "complaint" | "refusal";
	/** The email's id, where the provider gives back what we sent along. */
	emailId: string | undefined;
	/** Whom the email was to, as the provider spells it; "" where no signature covers what it says. */
	address: string;
	/** Unless it is a complaint: the enhanced status code, as in "5.1.1". */
	status: string;
	/** When it happened, in ms since 1970; NaN where the provider does not say. */
	at: number;
}

/** What a call of a provider is. */
export type FeedbackCall =
	| {
			outcome: "accepted";
			/** None where the provider says what we do not ask for, such as a delivery. */
			feedback: Feedback[];
			/** A call that comes a second time is answered, and changes nothing. */
			callId?: CallId | undefined;
			/** What the founder has to do. */
			notice?: string;
	  }
	/** Not from the provider, or not for us: why, for the founder. */
	| { outcome: "refused"; why: string }
	/** Whether it is from the provider cannot be said now. */
	| { outcome: "later"; why: string };

/** Names a call for as long as its signature counts. */
export interface CallId {
	id: string;
	/** In ms since 1970. */
	until: number;
}

/**
 * Reads a call of one provider: first whether the provider sent it, and then what it says.
 *
 * @param text the body
 * @param now in ms since 1970
 */
export type ReadFeedback = (
	call: Call,
	text: string,
	now: number,
) => FeedbackCall | Promise<FeedbackCall>;

export const refused = (why: string): FeedbackCall => ({ outcome: "refused", why });

/** Where a provider names no code: undefined, but for good (RFC 3463, 3.1). */
const NO_STATUS = "5.0.0";

/** The status that counts where a provider names none: its word that the address is dead stands. */
const DEAD = "5.1.1";

/** Whom feedback is about, and when it happened. */
export type About = Pick<Feedback, "emailId" | "address" | "at">;

/**
 * An email that a provider gave up for good: a bounce, or a refusal where the receiver means us.
 *
 * @param texts that may hold the enhanced status code
 * @returns undefined where the address may exist
 */
export function hardBounce(about: About, ...texts: string[]): Feedback | undefined {
	const status = statusIn(...texts) || NO_STATUS;
	const subject = subjectOf(status === NO_STATUS ? DEAD : status, texts.join(" "));
	if (subject === "email") return undefined;
	return { kind: subject === "mailbox" ? "bounce" : "refusal", ...about, status };
}

/** An email whose person called it spam. */
export const complaint = (about: About): Feedback => ({ kind: "complaint", ...about, status: "" });

/** The id of the email in a Message-ID that we made (smtp.ts), where a provider gives it back. */
export function emailIdIn(messageId: string): string | undefined {
	return /^\s*<?([\da-f]{32})@/.exec(messageId)?.[1];
}
