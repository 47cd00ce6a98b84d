import type { Database, Query } from "../database/database.ts";
import { type Dialect, keysAsJson } from "../database/dialect.ts";
import { HELD, isAssumed } from "./letter.ts";

/**
 * A time of which this database does not know what was sent: the list lived on after the backup that
 * it was restored from. Both ends are ISO 8601 in UTC with milliseconds; a beginning that nobody knows
 * is ''.
 */
export interface Gap {
	from: string;
	until: string;
}

/** Notes a gap. The later beginning counts where its end is known. */
export async function noteGap(query: Query, { from, until }: Gap): Promise<void> {
	await query(
		`INSERT INTO gap (until_at, from_at) VALUES ($1, $2)
		ON CONFLICT (until_at) DO UPDATE SET from_at = excluded.from_at
		WHERE excluded.from_at > gap.from_at`,
		[until, from],
	);
}

/** Takes a gap back that there is not: nothing came in that the database did not have. */
export async function dropGap(query: Query, { until }: Gap): Promise<void> {
	await query("DELETE FROM gap WHERE until_at = $1", [until]);
}

/** The time that all gaps lie in which are not settled; undefined where there is none. */
export async function findGap(query: Query): Promise<Gap | undefined> {
	const [gap] = await query<{ from: string | null; until: string }>(
		`SELECT min(from_at) AS "from", max(until_at) AS "until" FROM gap WHERE settled_at = ''`,
	);
	return gap && gap.from !== null ? { from: gap.from, until: gap.until } : undefined;
}

/** Notes that everything is known by now of all gaps, or of all but those that end then. */
export async function settleGaps(
	query: Query,
	{ jsonRows }: Dialect,
	now: Date,
	except: readonly string[] = [],
): Promise<void> {
	await query(
		`UPDATE gap SET settled_at = $2
		WHERE settled_at = '' AND until_at NOT IN (SELECT value->>0 FROM ${jsonRows})`,
		[keysAsJson(except), now.toISOString()],
	);
}

/** The ends of all gaps. */
export async function gapEnds(query: Query): Promise<string[]> {
	const gaps = await query<{ until: string }>("SELECT until_at AS until FROM gap");
	return gaps.map(({ until }) => until);
}

/** Copies gaps. One that is settled on either side is settled. */
export async function copyGaps(source: Query, { query, dialect }: Database): Promise<void> {
	const gaps = await source<Record<"until" | "from" | "settled", string>>(
		`SELECT until_at AS "until", from_at AS "from", settled_at AS "settled" FROM gap`,
	);
	await query(
		`INSERT INTO gap (until_at, from_at, settled_at)
		SELECT value->>0, value->>1, value->>2 FROM ${dialect.jsonRows} WHERE true
		${dialect.insertOrder}
		ON CONFLICT (until_at) DO UPDATE SET settled_at = excluded.settled_at
		WHERE gap.settled_at = ''`,
		[JSON.stringify(gaps.map(({ until, from, settled }) => [until, from, settled]))],
	);
}

/** The time of the latest thing that a database knows of, ISO 8601; '' where it is empty. */
export async function latestTrace(query: Query): Promise<string> {
	const [row] = await query<{ time: string | null }>(
		`SELECT max(time) AS time FROM (
			SELECT max(created_at) AS time FROM registration
			UNION ALL SELECT max(ended_at) FROM letter WHERE ended_at <> ''
			UNION ALL SELECT max(changed_at) FROM wave
		) AS traces`,
	);
	return row?.time ?? "";
}

/** How many letters a copy brought in of which nobody knows whether they went out. */
export async function countAssumed(query: Query): Promise<number> {
	const [row] = await query<{ count: number }>(
		`SELECT CAST(count(*) AS INTEGER) AS count FROM letter WHERE ${isAssumed("letter")}`,
	);
	return row!.count;
}

/**
 * Gives back the letters of which a copy could only assume that they went out, because none of them
 * did: they wait, held. Some had been refused, all of the same hours: in their old order they would come
 * first, one after the other, and the brake would take them for what all of the list is like.
 *
 * @returns how many
 */
export async function takeBackAssumed(
	query: Query,
	{ randomMs }: Dialect,
	now: Date,
): Promise<number> {
	// Any moment of that second is over: they may go at once.
	const lastSecond = new Date(now.getTime() - 1000).toISOString().slice(0, -"000Z".length);
	const waiting = await query(
		`UPDATE letter SET state = 'waiting', held = ${HELD.byOperator}, code = '', ended_at = '',
			expires_at = '', attempts = 0, next_at = $1 || ${randomMs} || 'Z'
		WHERE ${isAssumed("letter")} AND redeemed_at = '' RETURNING email_key`,
		[lastSecond],
	);
	return waiting.length;
}

/** Says of what time nobody knows what was sent. */
export function gapAsText({ from, until }: Gap): string {
	return `Nobody knows what was sent ${from === "" ? "until" : `between ${from} and`} ${until}.`;
}
