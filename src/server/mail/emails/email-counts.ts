import type { SharedDatabase } from "../../database/database.ts";
import { countWhere } from "../../database/dialect.ts";
import { countRows } from "../../database/rows.ts";
import type { Query } from "../../database/statement.ts";
import { txOver } from "../../database/transaction.ts";
import { QUEUES, type Queue, toSend } from "../rate/queues.ts";
import { because, IS_ASSUMED, TAKEN_BACK, UNSENT } from "./email.ts";
import { isWanted, readLost } from "./retry.ts";

/* Every statement that counts rows of the table `letter`. Times are ISO 8601 in UTC. */

/** How many letters a wave has. */
export const countEmailsOf = (query: Query, wave: string) =>
	countRows(query, "email WHERE wave = $1 AND wave <> ''", [wave]);

/** How many unknown emails a retry would not send. */
export async function countUnwanted({ query, dialect }: Pick<SharedDatabase, "query" | "dialect">) {
	return (await readLost(txOver(query, dialect), {})).filter((email) => !isWanted(email)).length;
}

/** How many letters a copy brought in as unknown, because they may have gone out elsewhere. */
export const countAssumed = (query: Query) => countRows(query, `email WHERE ${IS_ASSUMED}`);

/** How many emails wait and are not held; with a time, how many of these are due by then. */
export function countToSend(query: Query, due?: Date): Promise<number> {
	const unsent = "email WHERE held = 0 AND state IN ('waiting', 'deferred')";
	if (!due) return countRows(query, unsent);
	return countRows(query, `${unsent} AND next_at <= $1`, [due.toISOString()]);
}

/** How many letters of a kind are in a state; those that were taken back are in `cancelled`. */
export interface CountedEmails {
	kind: string;
	state: string;
	count: number;
}

/** SQL for letters still to be sent that somebody holds, in the words of their index. */
const IS_HELD = `held <> 0 AND ${UNSENT}`;

/** Counts all letters, each part by an index of its own: together they would be read one by one. */
export const countByState = (query: Query): Promise<CountedEmails[]> =>
	query(
		`SELECT kind, state, CAST(sum(letters) AS INTEGER) AS count FROM (${[
			...["accepted", "unknown", "sending"].map(
				(state) =>
					`SELECT kind, '${state}' AS state, count(*) AS letters FROM email
					WHERE state = '${state}' GROUP BY wave, kind`,
			),
			`SELECT kind, CASE WHEN ${TAKEN_BACK} THEN 'cancelled' ELSE 'refused' END AS state, count(*) AS letters
			FROM email WHERE state = 'refused' GROUP BY 1, 2`,
			...["held = 0 AND state IN ('waiting', 'deferred')", IS_HELD].map(
				(which) =>
					`SELECT kind, state, count(*) AS letters FROM email WHERE ${which} GROUP BY kind, state`,
			),
		].join(" UNION ALL ")}) AS parts
		GROUP BY kind, state ORDER BY kind, state`,
	);

/** Emails that are still to be sent, and are held. */
export interface HeldCounts {
	/** Until `waitlist resume`. */
	byOperator: number;
	/** By the pause of their wave. */
	byWave: number;
}

/** Counts what is held. */
export async function countHeld(query: Query): Promise<HeldCounts> {
	const byWave = await countRows(
		query,
		`email WHERE ${IS_HELD} AND wave IN (SELECT name FROM wave WHERE state = 'paused')`,
	);
	return { byOperator: (await countRows(query, `email WHERE ${IS_HELD}`)) - byWave, byWave };
}

/** Letters of a kind and a queue that can be sent. */
export interface Waiting {
	kind: string;
	queue: Queue;
	letters: number;
	/** When the first one was asked for, and the last one can be sent. */
	oldest: string;
	latest: string;
}

/** Counts what waits and is not held. */
export const countWaiting = (query: Query): Promise<Waiting[]> =>
	query(`SELECT kind, queue, CAST(count(*) AS INTEGER) AS letters,
			min(asked_at) AS oldest, max(next_at) AS latest
		FROM email WHERE held = 0 AND state IN ('waiting', 'deferred')
		GROUP BY kind, queue ORDER BY kind, queue`);

/**
 * Counts the people who called a letter spam since a time. The time stands in `unsubscribed_at` of the person,
 * because a complaint is also a leaving, and the letter has no column for it.
 */
export const countComplainers = (query: Query, since: string) =>
	countRows(
		query,
		`registration JOIN email ON email.email_key = registration.email_key
		WHERE unsubscribed_at <> '' AND unsubscribed_at > $1 AND reason = 'complaint'`,
		[since],
		"DISTINCT email.email_key",
	);

/** Letters of a wave. */
interface OfWave {
	name: string;
	count: number;
}

/** Letters of a wave in a state, and what else became of them. */
export interface InState extends OfWave {
	state: string;
	redeemed: number;
	cancelled: number;
	bounced: number;
	expired: number;
}

/**
 * Counts letters of waves by state. It reads the index `letter_of_wave` alone, in its order: no letter, and
 * nothing is sorted. A letter that was redeemed counts as that alone, whatever else is known of it.
 */
export const countByWave = (query: Query, now: Date): Promise<InState[]> =>
	query(
		`SELECT wave AS name, state, CAST(count(*) AS INTEGER) AS count,
			${countWhere("redeemed_at <> ''")} AS redeemed,
			${countWhere(TAKEN_BACK)} AS cancelled,
			${countWhere(`${because("bounced")} AND redeemed_at = ''`)} AS bounced,
			${countWhere(`expires_at <= $1 AND expires_at <> '' AND redeemed_at = ''
				AND reason NOT IN ('cancelled', 'bounced')`)} AS expired
		FROM email WHERE wave <> '' GROUP BY wave, state`,
		[now.toISOString()],
	);

/** Counts the refused emails of waves whose mail server said that the address does not exist. */
export const countBouncedByWave = (query: Query): Promise<OfWave[]> =>
	query(
		`SELECT wave AS name, CAST(count(*) AS INTEGER) AS count
		FROM email JOIN registration ON registration.email_key = email.email_key
		WHERE wave IN (SELECT name FROM wave) AND wave <> '' AND state = 'refused' AND redeemed_at = ''
			AND bounced_at <> '' AND reason = '' AND bounce = code
		GROUP BY wave`,
	);

/** Counts the emails of waves that wait and that the operator has to release. */
export const countHeldByWave = (query: Query): Promise<OfWave[]> =>
	query(
		`SELECT wave AS name, CAST(count(*) AS INTEGER) AS count FROM email
		WHERE wave IN (SELECT name FROM wave WHERE state <> 'paused') AND wave <> '' AND ${IS_HELD}
		GROUP BY wave`,
	);

/** SQL for whether a letter is due at a time in SQL, or was lost by its sender. */
export const isAnyDue = (
	now: string,
) => `(${QUEUES.map((queue) => `EXISTS (SELECT 1 FROM email WHERE ${toSend(queue)} AND next_at <= ${now})`).join(" OR ")}
		OR EXISTS (SELECT 1 FROM email WHERE state = 'sending' AND lease_until < ${now}))`;
