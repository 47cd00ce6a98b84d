import type { Call } from "../../http/call.ts";
import { statusIn, subjectOf } from "../smtp/status.ts";

/** What a provider says became of a letter. */
export interface Report {
	/** It came back for good, its person called it spam, or the receiver refuses us. */
	kind: "bounce" | "complaint" | "refusal";
	/** The letter's id, where the provider gives back what we sent along. */
	letter: string | undefined;
	/** Whom the letter was to, as the provider spells it; "" where no signature covers what it says. */
	email: string;
	/** Unless it is a complaint: the enhanced status code, as in "5.1.1". */
	status: string;
	/** When it happened, in ms since 1970; NaN where the provider does not say. */
	at: number;
}

/** What a call of a provider is. */
export type Heard =
	| {
			outcome: "heard";
			/** None where the provider tells what we do not ask for, such as a delivery. */
			reports: Report[];
			/** What is told once. Whoever sends it again is answered, and changes nothing. */
			once?: Once | undefined;
			/** What the operator has to do. */
			notice?: string;
	  }
	/** Not from the provider, or not for us: why, for the operator. */
	| { outcome: "refused"; why: string }
	/** Whether it is from the provider cannot be said now. */
	| { outcome: "later"; why: string };

/** Names a call for as long as its signature counts. */
export interface Once {
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
export type ReadReports = (call: Call, text: string, now: number) => Heard | Promise<Heard>;

export const refused = (why: string): Heard => ({ outcome: "refused", why });

/** Where a provider names no code: undefined, but for good (RFC 3463, 3.1). */
const NO_STATUS = "5.0.0";

/** The status that counts where a provider names none: its word that the address is dead stands. */
const DEAD = "5.1.1";

/**
 * An email that a provider gave up for good: a bounce, or a refusal where the receiver means us.
 *
 * @param said what may hold the enhanced status code
 * @returns undefined where the address may exist
 */
export function hardBounce(
	about: Pick<Report, "letter" | "email" | "at">,
	...said: string[]
): Report | undefined {
	const status = statusIn(...said) || NO_STATUS;
	const subject = subjectOf(status === NO_STATUS ? DEAD : status, said.join(" "));
	if (subject === "letter") return undefined;
	return { kind: subject === "mailbox" ? "bounce" : "refusal", ...about, status };
}

/** A letter whose person called it spam. */
export function complaint(about: Pick<Report, "letter" | "email" | "at">): Report {
	return { kind: "complaint", ...about, status: "" };
}

/** The id of the letter in a Message-ID that we made (smtp.ts), where a provider gives it back. */
export function letterIn(messageId: string): string | undefined {
	return /^\s*<?([\da-f]{32})@/.exec(messageId)?.[1];
}
