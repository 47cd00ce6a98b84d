import { isAnyRow, keysIn, sql, type Tx } from "../../database/sql.ts";
import type { Standing } from "../../registrations/facts.ts";
import type { Queue, Stream } from "../rate/outbox-row.ts";
import type { EmailKind } from "../templates/email-words.ts";
import type { Wave } from "../waves.ts";

/**
 * The states of an email.
 *
 * ```
 * waiting ──► sending ──► accepted     the mail server has it
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
	/** "" if a visitor requested it. */
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
	expiresAt: string;
	redeemedAt: string;
	queue: Queue;
	reason: Reason | "";
}

/** Why an email has its state, unless the mail server's reply says so. */
type Reason =
	| ("left" | "bounced" | "redeemed" | "flagged" | "invited")
	/** Not sent: its mailbox had three that day. */
	| "limited"
	/** Withdrawn with its wave. */
	| "cancelled"
	/** An earlier email was confirmed. */
	| "confirmed"
	/** Sent, as the founder knows from elsewhere. */
	| "told"
	/** Unsent in the backup that was restored. */
	| "assumed"
	/** Called spam by its person; `accepted`. */
	| "complaint";

/** A person gets one, over all waves. */
export const IS_INVITATION = sql`kind = 'invitation' AND reason <> 'cancelled'`;

/** When an email was sent, ISO 8601; '' if it was not, or did not arrive. */
export const SENT_AT = sql`CASE WHEN email.redeemed_at <> '' OR email.state IN ('accepted', 'unknown')
	THEN email.ended_at ELSE '' END`;

export interface ClaimedEmail extends Pick<EmailRow, "id" | "wave" | "key" | "expiresAt"> {
	kind: EmailKind;
	/** From 1. */
	attempts: number;
	queuedAt: string;
	email: string;
	/** The id of the person, for links. */
	recipient: string;
	subject: string;
	message: string;
	stream: Stream;
}

export interface EmailAttempt {
	id: string;
	state: Exclude<EmailState, "sending">;
	/** When to try again, in ms since 1970; only for `waiting` and `deferred`. */
	nextAt?: number;
	/** Never the text of the reply, which may hold the address. */
	code: string;
	version: string;
	/** The address does not exist. */
	bounced?: boolean;
}

/** After so many attempts, the last one 3.6 days after the first, an email is refused. */
export const MOST_ATTEMPTS = 11;

export const hasEmails = (tx: Tx) => isAnyRow(tx, sql`email`);

export function emailsOf(tx: Tx, keys: readonly string[]): Promise<EmailRow[]> {
	return tx.all(sql`SELECT email_key AS "key", kind, wave, id, state, held, version, asked_at AS "askedAt", asks,
			next_at AS "nextAt", attempts, claim, lease_until AS "leaseUntil", ended_at AS "endedAt", code,
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

/** Why a person does not get an email; "" where they do. All that adds, sends or resends emails asks this. */
export function whyNot(person: Standing, email: Wanted): Reason | "" {
	if (email.waveState === "cancelled") return "cancelled";
	if (email.redeemedAt) return "redeemed";
	if (person.unsubscribedAt !== "") return "left";
	if (person.bouncedAt !== "") return "bounced";
	if (email.kind === "confirm" && person.confirmedAt !== "") return "confirmed";
	// A flag keeps nobody from unsubscribing.
	if (person.flag !== "" && email.kind !== "unsubscribe") return "flagged";
	return email.kind === "invitation" && email.isInvited ? "invited" : "";
}
