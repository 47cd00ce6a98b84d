import type { Queue, Stream } from "../rate/queues.ts";
import type { EmailKind } from "../templates/render-email.ts";

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
export type EmailState = "waiting" | "sending" | "accepted" | "deferred" | "refused" | "unknown";

/** A letter's row. Times are ISO 8601 in UTC with milliseconds; '' is never. */
export interface EmailRow {
	key: string;
	kind: string;
	wave: string;
	/** 32 hexadecimal digits; '' until it is first sent. */
	id: string;
	state: EmailState;
	/**
	 * 1 while its wave is paused, or until `waitlist resume`. The wave's state decides; this keeps its emails
	 * out of the index that a turn reads: with 300,000 of them before those of another wave, a turn takes 5 ms
	 * on SQLite and 10 ms on PostgreSQL, by the state alone 55 and 87 ms.
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
	/** The codes of the mail server's last answer, as in `550 5.1.1`, or the name of an error. */
	code: string;
	/** When the code of an invitation expires, and when it was redeemed. */
	expiresAt: string;
	redeemedAt: string;
	/** Decides who goes first, and which throttle counts: mail/rate/queues.ts. */
	queue: Queue;
	/** Why it was not sent, or how its state is known otherwise; '' where the mail server's answer says so. */
	reason: Reason | "";
}

/** What is known of a letter by other ways than the mail server's answer. */
export type Reason =
	/** Not sent, because its person has left, bounced or redeemed, is marked, or is invited by another wave. */
	| ("left" | "bounced" | "redeemed" | "flagged" | "invited")
	/** Not sent, because its mailbox had its letters of that day. */
	| "limited"
	/** Taken back with its wave before it was sent: its person was not invited. */
	| "cancelled"
	/** No longer needed: an earlier letter was confirmed. */
	| "confirmed"
	/** Went out, as the operator knows from elsewhere. */
	| "told"
	/**
	 * Brought in as unknown by a copy: where it came from it was still to be sent, and may have gone out
	 * since. Whoever knows what became of it knows more.
	 */
	| "assumed"
	/** Called spam by its person: it is `accepted`, and whatever counts complaints counts it by this. */
	| "complaint";

/** A letter as the operator sees it: `code` is the reason, where there is one. */
export type StoredEmail = Omit<EmailRow, "reason">;

/** Each field of a letter with its column and type, in the order of a row. */
export const columns = [
	["key", "email_key", "TEXT"],
	["kind", "kind", "TEXT"],
	["wave", "wave", "TEXT"],
	["id", "id", "TEXT"],
	["state", "state", "TEXT"],
	["held", "held", "INT"],
	["version", "version", "TEXT"],
	["askedAt", "asked_at", "TEXT"],
	["asks", "asks", "INT"],
	["nextAt", "next_at", "TEXT"],
	["attempts", "attempts", "INT"],
	["claim", "claim", "TEXT"],
	["leaseUntil", "lease_until", "TEXT"],
	["endedAt", "ended_at", "TEXT"],
	["code", "code", "TEXT"],
	["expiresAt", "expires_at", "TEXT"],
	["redeemedAt", "redeemed_at", "TEXT"],
	["queue", "queue", "TEXT"],
	["reason", "reason", "TEXT"],
] as const satisfies readonly (readonly [keyof EmailRow, string, string])[];

/** A letter that is still to be sent. */
export const UNSENT = "email.state IN ('waiting', 'deferred')";

/** SQL for a condition of a letter: its reason is this one. */
export const because = (reason: Reason) => `reason = '${reason}'`;

/** SQL for a letter that a copy brought in as unknown. */
export const IS_ASSUMED = `(email.state = 'unknown' AND email.${because("assumed")})`;

/** SQL for what lists of letters show: the reason, otherwise the mail server's answer. */
export const SHOWN_CODE = "CASE reason WHEN '' THEN code ELSE reason END";

/** SQL for a letter that was taken back with its wave before it went out: nobody has refused it. */
export const TAKEN_BACK = `${because("cancelled")} AND redeemed_at = ''`;

/** SQL for an invitation that counts: a person gets one, over all waves. */
export const IS_INVITATION = `kind = 'invitation' AND reason <> 'cancelled'`;

/** SQL for when a letter went out, ISO 8601; '' for one that has not, or did not arrive. */
export const SENT_AT = `CASE WHEN email.redeemed_at <> '' OR email.state IN ('accepted', 'unknown')
	THEN email.ended_at ELSE '' END`;

/** A letter that the sender has taken, and what it needs to write it. */
export interface ClaimedEmail {
	/** 32 random hexadecimal digits, the same at each try. */
	id: string;
	kind: EmailKind;
	/** The name of its wave; "" where it asks to confirm. */
	wave: string;
	/** The person's canonical address. */
	key: string;
	/** Which try this is, from 1. */
	attempts: number;
	/** ISO 8601. */
	queuedAt: string;
	/** The address as typed. */
	email: string;
	/** Id of the person, which links carry instead of the address: 32 random hexadecimal digits. */
	recipient: string;
	/** When the code of an invitation expires, ISO 8601; "" in other letters. */
	expiresAt: string;
	/** What the operator wrote to the wave; "" where they wrote nothing. */
	subject: string;
	message: string;
	stream: Stream;
}

/** What is written down about a try. */
export interface EmailAttempt {
	id: string;
	state: Exclude<EmailState, "sending">;
	/** When to try again, in ms since 1970; only for `waiting` and `deferred`. */
	nextAt?: number;
	/** The codes of the answer, as in `550 5.1.1`. Never its text, which may hold the address. */
	code: string;
	/** Version of the words that were sent: the proof of what the person was asked. */
	version: string;
	/** Whether the address does not exist: its person gets no further letter. */
	bounced?: boolean;
}
