import type { LetterKind } from "./render-letter.ts";

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
}
