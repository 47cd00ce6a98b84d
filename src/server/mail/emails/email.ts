import { sql } from "../../database/sql.ts";
import type { Queue, Stream } from "../rate/queues.ts";
import type { EmailKind } from "../templates/words.ts";

/**
 * The states of an email.
 *
 * ```
 * waiting ──► sending ──► accepted         the mail server has it
 *    ▲           ├──────► refused          it will never take it
 *    │           ├──────► unknown          nobody knows; never sent again by itself
 *    └───────────┴──────► deferred         later, by itself: then sending again
 * ```
 */
export type EmailState = "waiting" | "sending" | "accepted" | "deferred" | "refused" | "unknown";

/** An email's row. Times are ISO 8601 in UTC with milliseconds; '' is never. */
export interface EmailRow {
	key: string;
	kind: string;
	wave: string;
	/** 32 hexadecimal digits; '' until it is first sent. */
	id: string;
	state: EmailState;
	/**
	 * 1 while its wave is paused: keeps its emails out of the index that a turn reads. With 300,000 of them
	 * before those of another wave, a turn takes 5 ms on SQLite and 10 ms on PostgreSQL, without it 55 and 87.
	 */
	held: number;
	version: string;
	askedAt: string;
	asks: number;
	nextAt: string;
	attempts: number;
	claim: string;
	leaseUntil: string;
	endedAt: string;
	/** The codes of the mail server's last reply, as in `550 5.1.1`, or the name of an error. */
	code: string;
	/** When the code of an invitation expires, and when it was redeemed. */
	expiresAt: string;
	redeemedAt: string;
	/** Decides who goes first, and which throttle counts: mail/rate/queues.ts. */
	queue: Queue;
	/** '' where the mail server's reply decided. */
	reason: Reason | "";
}

/** Why an email has its state, unless the mail server's reply says so. */
export type Reason =
	/** Not sent: its person unsubscribed, bounced, redeemed, is flagged, or is invited by another wave. */
	| ("left" | "bounced" | "redeemed" | "flagged" | "invited")
	/** Not sent: its mailbox had three that day. */
	| "limited"
	/** Withdrawn with its wave before it was sent. */
	| "cancelled"
	/** No longer needed: an earlier email was confirmed. */
	| "confirmed"
	/** Sent, as the founder knows from elsewhere. */
	| "told"
	/** Unsent in the backup that was restored: it may have gone out since. */
	| "assumed"
	/** Called spam by its person; it is `accepted`. */
	| "complaint";

/** An email as the founder sees it: `code` is the reason, where there is one. */
export type StoredEmail = Omit<EmailRow, "reason">;

/** SQL for an invitation that counts: a person gets one, over all waves. */
export const IS_INVITATION = sql`kind = 'invitation' AND reason <> 'cancelled'`;

/** SQL for when an email went out, ISO 8601; '' for one that has not, or did not arrive. */
export const SENT_AT = sql`CASE WHEN email.redeemed_at <> '' OR email.state IN ('accepted', 'unknown')
	THEN email.ended_at ELSE '' END`;

/** An email that the sender has claimed, with what it needs to write it. */
export interface ClaimedEmail {
	/** 32 random hexadecimal digits, the same at each attempt. */
	id: string;
	kind: EmailKind;
	/** The name of its wave; "" where it asks to confirm. */
	wave: string;
	/** The person's canonical address. */
	key: string;
	/** Which attempt this is, from 1. */
	attempts: number;
	/** ISO 8601. */
	queuedAt: string;
	/** The address as typed. */
	email: string;
	/** Id of the person, which links carry instead of the address: 32 random hexadecimal digits. */
	recipient: string;
	/** When the code of an invitation expires, ISO 8601; "" in other emails. */
	expiresAt: string;
	/** What the operator wrote to the wave; "" where they wrote nothing. */
	subject: string;
	message: string;
	stream: Stream;
}

/** The outcome of an attempt. */
export interface EmailAttempt {
	id: string;
	state: Exclude<EmailState, "sending">;
	/** When to try again, in ms since 1970; only for `waiting` and `deferred`. */
	nextAt?: number;
	/** The codes of the reply, as in `550 5.1.1`. Never its text, which may hold the address. */
	code: string;
	/** Version of the words that were sent: the proof of what the person was asked. */
	version: string;
	/** Whether the address does not exist: its person gets no further email. */
	bounced?: boolean;
}
