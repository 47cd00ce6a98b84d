import { sql } from "../database/sql.ts";
import type { Tx } from "../database/transaction.ts";
import { IS_INVITATION } from "./emails/email.ts";
import { STANDING, type Standing } from "./emails/may-get.ts";
import { type Queue, toSend } from "./rate/queues.ts";
import type { EmailKind } from "./templates/words.ts";
import type { WaveKind, WaveState } from "./wave/wave.ts";

/** An email that is due, with what is known of its person and its wave. Times are ISO 8601; '' is never. */
export interface DueEmail extends Standing {
	key: string;
	kind: EmailKind;
	/** "" where a visitor requested it. */
	wave: string;
	/** "" until it is first claimed. */
	id: string;
	attempts: number;
	/** How often it was requested. */
	asks: number;
	queuedAt: string;
	redeemedAt: string;
	/** The address as typed. */
	email: string;
	/** Id of the person. */
	recipient: string;
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
			due.asks, due.asked_at AS "queuedAt", due.redeemed_at AS "redeemedAt",
			registration.email, registration.id AS recipient, ${STANDING},
			wave.kind AS "waveKind", wave.state AS "waveState", valid_days AS "validDays", subject, message,
			CASE WHEN EXISTS (
				SELECT 1 FROM email WHERE email.email_key = due.email_key AND email.wave <> due.wave
					AND ${IS_INVITATION} AND email.expires_at <> ''
			) THEN 1 ELSE 0 END AS invited
		FROM (
			SELECT * FROM email
			WHERE ${toSend(queue)} AND next_at <= ${now}
				AND wave NOT IN (SELECT name FROM wave WHERE state = 'paused')
			ORDER BY next_at LIMIT ${most} FOR UPDATE SKIP LOCKED
		) AS due
		JOIN registration ON registration.email_key = due.email_key
		LEFT JOIN wave ON wave.name = due.wave
		ORDER BY next_at`);
}
