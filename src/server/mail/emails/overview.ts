import { countRows, type Statement, sql, type Tx } from "../../database/sql.ts";
import type { MailSettings } from "../../settings.ts";
import { type Ramp, readRamp } from "../rate/sending-rate.ts";
import { MOST_ATTEMPTS } from "../sender.ts";
import { isWanted, readLost } from "./resend.ts";

/** The emails in numbers. */
export interface Overview {
	emails: CountedEmails[];
	/** Emails that the mail server defers, or deferred until they were given up, the latest first. */
	troubled: TroubledEmail[];
	/** Where WAITLIST_MAIL_WARM_UP is; null without one. */
	ramp: Ramp | null;
}

const MOST_TROUBLED = 20;

/** Counts emails. One query after the other: visitors ask as well. */
export async function readOverview(tx: Tx, mail: MailSettings | undefined): Promise<Overview> {
	return {
		emails: await countByState(tx),
		troubled: await readTroubled(tx),
		ramp: await readRamp(tx, mail),
	};
}

/** Emails that were taken back have the state `cancelled`. */
interface CountedEmails {
	kind: string;
	state: string;
	count: number;
}

/** Counts all emails, each part by an index of its own: together they would be read one by one. */
export const countByState = (tx: Tx): Promise<CountedEmails[]> =>
	tx.all(sql<CountedEmails>`SELECT kind, state, CAST(sum(emails) AS INTEGER) AS count FROM (
			SELECT kind, 'accepted' AS state, count(*) AS emails FROM email
			WHERE state = 'accepted' GROUP BY wave, kind
			UNION ALL
			SELECT kind, 'unknown', count(*) FROM email WHERE state = 'unknown' GROUP BY kind
			UNION ALL
			SELECT kind, 'sending', count(*) FROM email WHERE state = 'sending' GROUP BY kind
			UNION ALL
			SELECT kind, CASE WHEN reason = 'cancelled' AND redeemed_at = '' THEN 'cancelled' ELSE 'refused' END,
				count(*)
			FROM email WHERE state = 'refused' GROUP BY 1, 2
			UNION ALL
			SELECT kind, state, count(*) FROM email
			WHERE held = 0 AND state IN ('waiting', 'deferred') GROUP BY kind, state
			UNION ALL
			SELECT kind, state, count(*) FROM email
			WHERE held <> 0 AND state IN ('waiting', 'deferred') GROUP BY kind, state
		) AS parts GROUP BY kind, state ORDER BY kind, state`);

export interface TroubledEmail {
	email: string;
	kind: string;
	state: string;
	/** The codes of the last reply, as in `550 5.7.1`, the name of an error, or a reason. */
	code: string;
	attempts: number;
	/** The next attempt, or when it was given up, ISO 8601. */
	time: string;
}

/** The latest first. */
function readTroubled(tx: Tx): Promise<TroubledEmail[]> {
	const last = (which: Statement) => sql`SELECT * FROM (
			SELECT email_key, kind, state, CASE reason WHEN '' THEN code ELSE reason END AS code, attempts, next_at
			FROM email WHERE ${which} ORDER BY next_at DESC, email_key LIMIT ${MOST_TROUBLED}
		) AS last`;
	return tx.all(sql`SELECT registration.email, kind, state, code, attempts, next_at AS time FROM (
			${last(sql`state = 'deferred'`)}
			UNION ALL ${last(sql`state = 'refused' AND attempts >= ${MOST_ATTEMPTS}`)}
		) AS troubled JOIN registration ON registration.email_key = troubled.email_key
		ORDER BY next_at DESC, email LIMIT ${MOST_TROUBLED}`);
}

interface UnknownEmail {
	email: string;
	kind: string;
	/** When its sender was lost, ISO 8601. */
	time: string;
}

/** The earliest first. */
export function unknownEmails(tx: Tx): Promise<UnknownEmail[]> {
	return tx.all(sql`SELECT registration.email, kind, ended_at AS time FROM email
		JOIN registration ON registration.email_key = email.email_key
		WHERE state = 'unknown' ORDER BY ended_at, email.email_key`);
}

export const countEmailsOf = (tx: Tx, wave: string) =>
	countRows(tx, sql`email WHERE wave = ${wave} AND wave <> ''`);

/** How many unknown emails a retry would send, and how many not. */
export async function countLost(tx: Tx) {
	const lost = await readLost(tx, {});
	const wanted = lost.filter(isWanted).length;
	return { wanted, unwanted: lost.length - wanted };
}

/** Counts emails that may have been sent after the backup that was restored. */
export const countAssumed = (tx: Tx) =>
	countRows(tx, sql`email WHERE state = 'unknown' AND reason = 'assumed'`);
