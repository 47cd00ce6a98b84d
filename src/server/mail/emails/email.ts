import { isAnyRow, keysIn, sql, type Tx } from "../../database/sql.ts";
import type { Standing } from "../../registrations/facts.ts";
import type { Queue, Stream } from "../rate/outbox-state.ts";
import type { EmailKind } from "../templates/email-words.ts";
import type { Wave } from "../waves.ts";

/**
 * The states of an email.
 *
 * ```
 * waiting ──► sending ──► accepted     by the mail server
 *    ▲           ├──────► refused      for good
 *    │           ├──────► unknown      it may have arrived; never retried without the founder
 *    └───────────┴──────► deferred     retried later
 * ```
 */
type EmailState = "waiting" | "sending" | "accepted" | "deferred" | "refused" | "unknown";

/** Times are ISO 8601 in UTC with milliseconds; '' is never. */
export interface EmailRow {
	key: string;
	kind: string;
	/** '' if requested by a visitor. */
	wave: string;
	/** 32 hexadecimal digits; '' until it is first sent. */
	id: string;
	state: EmailState;
	/**
	 * 1 while its wave is paused, which keeps it out of the index of due emails. With 300,000 paused emails
	 * ahead of another wave, a turn takes 5 ms on SQLite and 10 ms on PostgreSQL, instead of 55 and 87.
	 */
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
	queue: Queue;
	reason: Reason | "";
}

/** Reason for an email's state, if not the mail server's reply. */
type Reason =
	| ("unsubscribed" | "bounced" | "redeemed" | "flagged" | "invited" | "canceled")
	/** Not sent: its mailbox already got three that day. */
	| "limited"
	/** The person confirmed another email first. */
	| "confirmed"
	/** Marked as sent by the founder. */
	| "told"
	/** Unsent in the restored backup. */
	| "assumed"
	/** `accepted`, then marked as spam by its person. */
	| "complaint";

/** A person gets at most one, across all waves. */
export const IS_INVITATION = sql`kind = 'invitation' AND reason <> 'canceled'`;

/** SQL for the time an email was sent, ISO 8601; '' if unsent or undelivered. */
export const SENT_AT = sql`CASE WHEN email.redeemed_at <> '' OR email.state IN ('accepted', 'unknown')
	THEN email.ended_at ELSE '' END`;

export interface ClaimedEmail extends Pick<EmailRow, "id" | "wave" | "key" | "expiresAt"> {
	kind: EmailKind;
	/** From 1. */
	attempts: number;
	queuedAt: string;
	email: string;
	/** The person's id, for links. */
	recipient: string;
	subject: string;
	message: string;
	stream: Stream;
}

export interface EmailAttempt {
	id: string;
	state: Exclude<EmailState, "sending">;
	/** Next attempt in ms since 1970; only for `waiting` and `deferred`. */
	nextAt?: number;
	/** Never the reply text, which may contain the address. */
	code: string;
	version: string;
	/** The address does not exist. */
	bounced?: boolean;
}

/** Maximum attempts, the last one 3.6 days after the first. */
export const MOST_ATTEMPTS = 11;

export const hasEmails = (tx: Tx) => isAnyRow(tx, sql`email`);

export function emailsOf(tx: Tx, keys: readonly string[]): Promise<EmailRow[]> {
	return tx.all(sql`SELECT email_key AS "key", kind, wave, id, state, held, version, asked_at AS "askedAt", asks,
			next_at AS "nextAt", attempts, lease_until AS "leaseUntil", ended_at AS "endedAt", code,
			expires_at AS "expiresAt", redeemed_at AS "redeemedAt", queue, reason
		FROM email WHERE email_key IN ${keysIn(keys)} ORDER BY kind, wave`);
}

export type RequestedKind = "confirm" | "unsubscribe";

export const isRequested = (kind: string): kind is RequestedKind =>
	kind === "confirm" || kind === "unsubscribe";

interface Wanted {
	kind: string;
	redeemedAt?: string;
	waveState?: Wave["state"] | null;
	isInvited?: boolean;
}

/**
 * Returns why a person must not get an email, or ''. Check this wherever emails are added, sent or resent.
 * Waves choose more narrowly (audience.ts), and a mailbox has a daily limit (claim-emails.ts).
 */
export function reasonNotToSend(person: Standing, email: Wanted): Reason | "" {
	if (email.waveState === "canceled") return "canceled";
	if (email.redeemedAt) return "redeemed";
	if (person.unsubscribedAt !== "") return "unsubscribed";
	if (person.bouncedAt !== "") return "bounced";
	if (email.kind === "confirm" && person.confirmedAt !== "") return "confirmed";
	// Flagged people can still unsubscribe.
	if (person.flag !== "" && email.kind !== "unsubscribe") return "flagged";
	return email.kind === "invitation" && email.isInvited ? "invited" : "";
}
