import { hasRow, keysSql, sql, type Tx } from "../../database/sql.ts";
import type { MailingStatus } from "../../registrations/facts.ts";
import type { EmailQueue, EmailStream } from "../rate/outbox-state.ts";
import type { EmailKind } from "../templates/email-words.ts";
import type { Wave } from "../waves.ts";

/**
 * ```
 * waiting ─┬─► sending ─┬─► accepted   by the mail server
 *          │            ├─► deferred   later `sending` again, or `refused`
 *          │            ├─► unknown    may have arrived
 *          └────────────┴─► refused    permanently; without an attempt, see `Reason`
 * ```
 *
 * An email returns to `waiting` when it is resent or requested again, or when an attempt does not count.
 */
type EmailState = "waiting" | "sending" | "accepted" | "deferred" | "refused" | "unknown";

/** Times are ISO 8601 in UTC with milliseconds, or '' for never. */
export interface EmailRow {
	key: string;
	kind: string;
	/** '' if requested by a visitor. */
	wave: string;
	/** 32 hexadecimal digits; '' until first claimed. */
	id: string;
	state: EmailState;
	/** 1 while the wave is paused. Leaving held emails out of the index makes claiming ten times as fast. */
	held: number;
	version: string;
	askedAt: string;
	asks: number;
	nextAt: string;
	attempts: number;
	leaseUntil: string;
	endedAt: string;
	/** Codes of the mail server's last reply, such as `550 5.1.1`, or an error name. */
	code: string;
	expiresAt: string;
	redeemedAt: string;
	queue: EmailQueue;
	reason: Reason | "";
}

/** Reason for an email's state, unless it is the mail server's reply. */
type Reason =
	| ("unsubscribed" | "bounced" | "redeemed" | "flagged" | "invited" | "canceled")
	/** Not sent: the mailbox got three emails in a day. */
	| "limited"
	| "confirmed"
	/** Marked as sent by the founder. */
	| "told"
	/** Unsent in the restored backup, but possibly sent since. */
	| "assumed"
	/** Accepted, then marked as spam by the recipient. */
	| "complaint";

/** A person gets at most one invitation that is not canceled, across all waves. */
export const IS_INVITATION_SQL = sql`kind = 'invitation' AND reason <> 'canceled'`;

/** SQL for the time an email was sent, ISO 8601; '' if unsent or undelivered. */
export const SENT_AT_SQL = sql`CASE WHEN email.redeemed_at <> '' OR email.state IN ('accepted', 'unknown')
	THEN email.ended_at ELSE '' END`;

export interface ClaimedEmail extends Pick<EmailRow, "id" | "wave" | "key" | "expiresAt"> {
	kind: EmailKind;
	attempts: number;
	queuedAt: string;
	email: string;
	recipient: string;
	subject: string;
	message: string;
	stream: EmailStream;
}

export interface EmailAttempt {
	id: string;
	state: Exclude<EmailState, "sending">;
	/** Next attempt in ms since 1970; only for `waiting` and `deferred`. */
	nextAt?: number;
	/** Excludes the reply text, which may contain the address. */
	code: string;
	version: string;
	bounced?: boolean;
}

/** The last attempt is 3.6 days after the first. */
export const MOST_ATTEMPTS = 11;

export const hasEmails = (tx: Tx) => hasRow(tx, sql`email`);

export function readEmailsOf(tx: Tx, keys: readonly string[]): Promise<EmailRow[]> {
	return tx.all(sql`SELECT email_key AS "key", kind, wave, id, state, held, version, asked_at AS "askedAt", asks,
			next_at AS "nextAt", attempts, lease_until AS "leaseUntil", ended_at AS "endedAt", code,
			expires_at AS "expiresAt", redeemed_at AS "redeemedAt", queue, reason
		FROM email WHERE email_key IN ${keysSql(keys)} ORDER BY kind, wave`);
}

export type RequestedEmailKind = "confirm" | "unsubscribe";

export const emailName = (kind: string) =>
	({ confirm: "confirmation", unsubscribe: "unsubscribe link" })[kind] ?? kind;

export const isRequestedEmailKind = (kind: string): kind is RequestedEmailKind =>
	kind === "confirm" || kind === "unsubscribe";

interface Wanted {
	kind: string;
	redeemedAt?: string;
	waveState?: Wave["state"] | null;
	isInvited?: boolean;
}

/** Returns why a person must not get an email, or ''. Check this wherever emails are added, sent or resent. */
export function reasonNotToSend(person: MailingStatus, email: Wanted): Reason | "" {
	if (email.waveState === "canceled") return "canceled";
	if (email.redeemedAt) return "redeemed";
	if (person.unsubscribedAt !== "") return "unsubscribed";
	if (person.bouncedAt !== "") return "bounced";
	if (email.kind === "confirm" && person.confirmedAt !== "") return "confirmed";
	// Flagged people still get their link to unsubscribe.
	if (person.flag !== "" && email.kind !== "unsubscribe") return "flagged";
	return email.kind === "invitation" && email.isInvited ? "invited" : "";
}
