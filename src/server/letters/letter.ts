import type { Trouble } from "./pace/trouble.ts";
import type { LetterKind } from "./writing/render-letter.ts";

/**
 * Where a letter is on its way.
 *
 * ```
 * waiting ──► sending ──► accepted         the mail server has it
 *    ▲           ├──────► refused          it will never take it
 *    │           ├──────► unknown          nobody knows; never sent again by itself
 *    └───────────┴──────► deferred         later, by itself: then sending again
 * ```
 */
export type LetterState = "waiting" | "sending" | "accepted" | "deferred" | "refused" | "unknown";

/** SQL that sets back what taking a letter set: nobody heard of it. */
export const UNTRIED = `claim = '', lease_until = '', attempts = attempts - 1,
	expires_at = CASE attempts WHEN 1 THEN '' ELSE expires_at END`;

/** A letter that is still to be sent. */
export const UNSENT = "letter.state IN ('waiting', 'deferred')";

/**
 * `code` of a letter that a copy brought in as unknown: where it came from it was still to be sent, and
 * may have gone out since. Whoever knows what became of it knows more.
 */
export const ASSUMED = "assumed";

/** SQL for such a letter. */
export const isAssumed = (letter: string) =>
	`(${letter}.state = 'unknown' AND ${letter}.code = '${ASSUMED}')`;

/** A letter that the sender has taken, and what it needs to write it. */
export interface TakenLetter {
	/** 32 random hexadecimal digits, the same at each try. */
	id: string;
	kind: LetterKind;
	/** The name of its wave; "" where it asks to confirm. */
	wave: string;
	/** The person's canonical address. */
	key: string;
	/** Which try this is, from 1. */
	attempts: number;
	/** The address as typed. */
	email: string;
	/** Id of the person, which links carry instead of the address: 32 random hexadecimal digits. */
	recipient: string;
	/** When the code of an invitation expires, ISO 8601; "" in other letters. */
	expiresAt: string;
	/** What the operator wrote to the wave; "" where they wrote nothing. */
	subject: string;
	message: string;
}

/** What is written down about a try. */
export interface TriedLetter {
	id: string;
	state: Exclude<LetterState, "sending">;
	/** When to try again, in ms since 1970; only for `waiting` and `deferred`. */
	nextAt?: number;
	/** The codes of the answer, as in `550 5.1.1`. Never its text, which may hold the address. */
	code: string;
	/** Of the words that were sent: the proof of what the person was asked. */
	version: string;
	/** Whether the address does not exist: its person gets no further letter. */
	bounced?: boolean;
	/** Where the failure may be about us and not about the letter. */
	doubt?: Trouble & { domain: string };
}

/** A time as letters have it: ISO 8601 in UTC with milliseconds, which sorts as text. */
export function isoOf(ms: number): string {
	return new Date(ms).toISOString();
}
