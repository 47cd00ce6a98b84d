import { sql } from "../database/sql.ts";
import type { Tx } from "../database/transaction.ts";
import { isInvitation, type Reason } from "./emails/letter.ts";
import { type Queue, toSend } from "./rate/queues.ts";
import type { EmailKind } from "./templates/render-email.ts";
import type { WaveKind, WaveState } from "./wave/wave.ts";

/** An email that is due, with what is known of its person and its wave. Times are ISO 8601; '' is never. */
export interface DueEmail {
	key: string;
	kind: EmailKind;
	/** "" where a visitor requested it. */
	wave: string;
	/** "" until it is first claimed. */
	id: string;
	attempts: number;
	queuedAt: string;
	redeemedAt: string;
	/** The address as typed. */
	email: string;
	flags: string;
	/** Id of the person; null until an email is first claimed for them. */
	recipient: string | null;
	leftAt: string | null;
	bouncedAt: string | null;
	/** Null where there is no wave. */
	waveKind: WaveKind | null;
	waveState: WaveState | null;
	validDays: number | null;
	subject: string | null;
	message: string | null;
	/** 1 where another wave has invited the person. */
	invited: number;
}

/** Locks the first emails of a queue that are due and whose wave is not paused. */
export function dueEmails(
	tx: Tx,
	queue: Queue,
	{ now, most }: { now: string; most: number },
): Promise<DueEmail[]> {
	return tx.all(sql<DueEmail>`SELECT due.email_key AS "key", due.kind, due.wave, due.id, due.attempts,
			due.asked_at AS "queuedAt",
			due.redeemed_at AS "redeemedAt", email, flags, recipient.id AS recipient,
			left_at AS "leftAt", bounced_at AS "bouncedAt", wave.kind AS "waveKind",
			wave.state AS "waveState", valid_days AS "validDays", subject, message,
			CASE WHEN EXISTS (
				SELECT 1 FROM letter AS other WHERE other.email_key = due.email_key
					AND ${{ sql: isInvitation("other") }} AND other.wave <> due.wave AND other.expires_at <> ''
			) THEN 1 ELSE 0 END AS invited
		FROM (
			SELECT * FROM letter
			WHERE ${{ sql: toSend(queue) }} AND next_at <= ${now}
				AND wave NOT IN (SELECT name FROM wave WHERE state = 'paused')
			ORDER BY next_at LIMIT ${{ sql: String(most) }} ${{ sql: tx.dialect.takeRows }}
		) AS due
		JOIN registration ON registration.email_key = due.email_key
		LEFT JOIN recipient ON recipient.email_key = due.email_key
		LEFT JOIN wave ON wave.name = due.wave
		ORDER BY next_at`);
}

/**
 * Why an email of a wave is not sent although it is due; "" where it is. Much may have changed since it was
 * added: its wave may be cancelled, and of several waves the first one invites a person. Being unconfirmed
 * was the founder's choice.
 */
export function whyNot(email: DueEmail): Reason | "" {
	if (email.waveState === "cancelled") return "cancelled";
	if (email.redeemedAt !== "") return "redeemed";
	if (email.leftAt) return "left";
	if (email.bouncedAt) return "bounced";
	if (email.flags !== "") return "flagged";
	return email.kind === "invitation" && email.invited === 1 ? "invited" : "";
}
