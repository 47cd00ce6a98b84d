import { countWhere, type Dialect, keysAsJson, ofPeople } from "../../database/dialect.ts";
import { countRows } from "../../database/rows.ts";
import type { Query } from "../../database/statement.ts";
import { personOf } from "../../registrations/recipients.ts";
import { BOUNCED_BY_LETTER } from "../rate/outcomes.ts";
import { QUEUES, type Queue, toSend } from "../rate/queues.ts";
import { ALL_WAVES } from "../wave/waves.ts";
import { because, HELD, HELD_BY_OPERATOR, IS_ASSUMED, TAKEN_BACK, UNSENT } from "./letter.ts";
import { UNWANTED } from "./reachable.ts";

/* Every statement that counts rows of the table `letter`. Times are ISO 8601 in UTC. */

/** How many letters a wave has. */
export const countLettersOf = (query: Query, wave: string) =>
	countRows(query, "letter WHERE wave = $1 AND wave <> ''", [wave]);

/** How many unknown letters nobody wants any more. */
export const countUnwanted = (query: Query) =>
	countRows(query, `letter WHERE state = 'unknown' AND ${UNWANTED}`);

/** How many letters a copy brought in as unknown, because they may have gone out elsewhere. */
export const countAssumed = (query: Query) => countRows(query, `letter WHERE ${IS_ASSUMED}`);

/** How many letters wait and are not held; with a time, how many of these are due by then. */
export async function countToSend(query: Query, due?: Date): Promise<number> {
	const also = due ? " AND next_at <= $1" : "";
	const counts = QUEUES.map(
		(queue) => `(SELECT count(*) FROM letter WHERE ${toSend(queue)}${also})`,
	);
	const [row] = await query<{ letters: number }>(
		`SELECT CAST(${counts.join(" + ")} AS INTEGER) AS letters`,
		due ? [due.toISOString()] : [],
	);
	return row!.letters;
}

/** How many letters of a kind are in a state; those that were taken back are in `cancelled`. */
export interface CountedLetters {
	kind: string;
	state: string;
	count: number;
}

/** SQL for letters still to be sent that somebody holds, in the words of their index. */
const IS_HELD = `held <> 0 AND ${UNSENT}`;

/** Counts all letters, each part by an index of its own: together they would be read one by one. */
export const countByState = (query: Query): Promise<CountedLetters[]> =>
	query(
		`SELECT kind, state, CAST(sum(letters) AS INTEGER) AS count FROM (${[
			...["accepted", "unknown", "sending"].map(
				(state) =>
					`SELECT kind, '${state}' AS state, count(*) AS letters FROM letter
					WHERE state = '${state}' GROUP BY wave, kind`,
			),
			`SELECT kind, CASE WHEN ${TAKEN_BACK} THEN 'cancelled' ELSE 'refused' END AS state, count(*) AS letters
			FROM letter WHERE state = 'refused' GROUP BY 1, 2`,
			...[...QUEUES.map(toSend), IS_HELD].map(
				(which) =>
					`SELECT kind, state, count(*) AS letters FROM letter WHERE ${which} GROUP BY kind, state`,
			),
		].join(" UNION ALL ")}) AS parts
		GROUP BY kind, state ORDER BY kind, state`,
	);

/** Letters that are still to be sent, and are held. */
export interface HeldCounts {
	/** Until `waitlist resume`, also where their wave is paused. */
	byOperator: number;
	/** By the pause of their wave alone. */
	byWave: number;
}

/** Counts what is held. */
export async function countHeld(query: Query): Promise<HeldCounts> {
	const [counts] = await query<HeldCounts>(
		`SELECT ${countWhere(HELD_BY_OPERATOR)} AS "byOperator",
			${countWhere(`held = ${HELD.byWave}`)} AS "byWave"
		FROM letter WHERE ${IS_HELD}`,
	);
	return counts!;
}

/** How many refused letters a retry would send again, by the keys of their people. */
export async function countRefused(
	query: Query,
	dialect: Dialect,
	keys: readonly string[],
): Promise<Map<string, number>> {
	const refused = await query<{ key: string; letters: number }>(
		`SELECT email_key AS "key", CAST(count(*) AS INTEGER) AS letters FROM letter
		WHERE state = 'refused' AND NOT ${UNWANTED}
			AND ${ofPeople(dialect)}
		GROUP BY email_key`,
		[keysAsJson(keys)],
	);
	return new Map(refused.map(({ key, letters }) => [key, letters]));
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

/** Counts what waits and is not held, by queue, because each queue has its own index. */
export const countWaiting = (query: Query): Promise<Waiting[]> =>
	query(`SELECT kind, queue, CAST(count(*) AS INTEGER) AS letters,
			min(asked_at) AS oldest, max(next_at) AS latest
		FROM (${QUEUES.map(
			(queue) =>
				`SELECT kind, '${queue}' AS queue, asked_at, next_at FROM letter WHERE ${toSend(queue)}`,
		).join(" UNION ALL ")}) AS waiting
		GROUP BY kind, queue ORDER BY kind, queue`);

/** Counts the last letters that were answered for good, and how many of their addresses do not exist. */
export async function countDead(query: Query): Promise<{ letters: number; dead: number }> {
	const [counts] = await query<{ letters: number; dead: number }>(
		`SELECT ${countWhere("true")} AS letters, ${countWhere("state = 'refused'")} AS dead
		FROM (
			SELECT email_key, state, code, reason FROM letter
			WHERE ended_at <> '' AND id <> '' AND state IN ('accepted', 'refused')
			ORDER BY ended_at DESC LIMIT 1000
		) AS ended
		WHERE state = 'accepted' OR EXISTS (${personOf("ended")} AND ${BOUNCED_BY_LETTER})`,
	);
	return counts!;
}

/**
 * Counts the people who called a letter spam since a time. The time stands in `left_at` of the person,
 * because a complaint is also a leaving, and the letter has no column for it.
 */
export const countComplainers = (query: Query, since: string) =>
	countRows(
		query,
		`recipient JOIN letter ON letter.email_key = recipient.email_key
		WHERE left_at <> '' AND left_at > $1 AND ${because("complaint")}`,
		[since],
		"DISTINCT letter.email_key",
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
		FROM letter WHERE wave <> '' GROUP BY wave, state`,
		[now.toISOString()],
	);

const OF_WAVES = `wave IN ${ALL_WAVES} AND wave <> ''`;

/** Counts the refused letters of waves whose mail server said that the address does not exist. */
export const countBouncedByWave = (query: Query): Promise<OfWave[]> =>
	query(
		`SELECT wave AS name, CAST(count(*) AS INTEGER) AS count
		FROM letter JOIN recipient ON recipient.email_key = letter.email_key
		WHERE ${OF_WAVES} AND state = 'refused' AND redeemed_at = '' AND ${BOUNCED_BY_LETTER}
		GROUP BY wave`,
	);

/** Counts the letters of waves that wait and that the operator has to let go. */
export const countHeldByWave = (query: Query): Promise<OfWave[]> =>
	query(
		`SELECT wave AS name, CAST(count(*) AS INTEGER) AS count FROM letter
		WHERE ${OF_WAVES} AND ${UNSENT} AND ${HELD_BY_OPERATOR} GROUP BY wave`,
	);

/** SQL for whether a letter is due at a time in SQL, or was lost by its sender. */
export const isAnyDue = (
	now: string,
) => `(${QUEUES.map((queue) => `EXISTS (SELECT 1 FROM letter WHERE ${toSend(queue)} AND next_at <= ${now})`).join(" OR ")}
		OR EXISTS (SELECT 1 FROM letter WHERE state = 'sending' AND lease_until < ${now}))`;
