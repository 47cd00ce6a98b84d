import { setTimeout } from "node:timers/promises";
import { type Query, runEach, type SharedDatabase, statement } from "../database/database.ts";
import { type Dialect, firstsOf, keysAsJson } from "../database/dialect.ts";
import { COUNTED_DAY } from "../database/schema.ts";

/*
 * How many did something on each day that is over, so that a million people are not counted again each
 * time. Whoever changes what happened on such a day deletes its row in the same transaction
 * (`forgetDays`), and the next one who asks counts that day anew. No copy holds these rows.
 */

/** What is counted by day: rows of a table, each by a time and a name, all in SQL. */
export interface Counted {
	as: "joined" | "confirmed";
	from: string;
	/** Conditions in the words of an index that begins with the time. */
	where: string;
	at: string;
	name: string;
}

/** A commit may come this long after its time: a day is over only then. */
const COMMITTED_MS = 3_600_000;

/** Days that one question keeps, so that nobody waits for two years of them. */
const DAYS_AT_ONCE = 30;

/** What counts ahead of all questions keeps so many days, and then lets others go first: a join waits for no more. */
const AHEAD = { days: 3, pauseMs: 50 };

/**
 * The row of no day, there in a transaction only, is the lock between those who count and those who change
 * what is counted: otherwise PostgreSQL would keep a count from just before a change. Deadlocks are tried
 * again by whoever lost.
 */
const NO_DAY = "";
const lock = (as: string) =>
	statement(
		`INSERT INTO ${COUNTED_DAY} (counted, day, counts) VALUES ('${as}', '${NO_DAY}', '[]')
		ON CONFLICT (counted, day) DO UPDATE SET counts = '[]'`,
	);

const forget = (as: string, days: readonly string[], dialect: Dialect) =>
	statement(
		`DELETE FROM ${COUNTED_DAY} WHERE counted = '${as}' AND day IN ${firstsOf(dialect)}`,
		keysAsJson(days),
	);

/** SQL for the days before `$1` with their counts, null where nobody has counted. It reads one row of the index for each. */
const daysOf = ({ as, from, where, at }: Counted) => `WITH RECURSIVE found(day) AS (
		SELECT (SELECT substr(min(${at}), 1, 10) FROM ${from} WHERE ${where})
		UNION ALL
		SELECT (SELECT substr(min(${at}), 1, 10) FROM ${from} WHERE ${where} AND ${at} > day || '~')
		FROM found WHERE day < $1
	)
	SELECT found.day AS day, counts FROM found
	LEFT JOIN ${COUNTED_DAY} ON counted = '${as}' AND ${COUNTED_DAY}.day = found.day
	WHERE found.day < $1 ORDER BY found.day`;

/**
 * SQL that counts the day `$1`. Each alone: PostgreSQL would compile a statement for many of them, which
 * takes half a second. SQLite could take an index of names, and read far more rows than the day has: the
 * name is an expression, so that it does not.
 */
const count = ({ as, from, where, at, name }: Counted, { jsonList }: Dialect) =>
	`INSERT INTO ${COUNTED_DAY} (counted, day, counts)
	SELECT '${as}', $1, COALESCE(${jsonList("name", "people")}, '[]') FROM (
		SELECT ${name} || '' AS name, count(*) AS people FROM ${from}
		WHERE ${where} AND ${at} >= $1 AND ${at} < $1 || '~' GROUP BY ${name} || ''
	) AS counted WHERE true ON CONFLICT (counted, day) DO NOTHING`;

type Asked = Pick<SharedDatabase, "query" | "run" | "dialect">;

/** Counts all, by name, and keeps what it counts of days that are over: the next question does not read them. */
export async function countAll(
	database: Asked,
	counted: Counted,
	now: Date,
): Promise<Map<string, number>> {
	const { query } = database;
	const { from, where, at, name } = counted;
	const current = currentDay(now);
	const read = () => query<Day>(daysOf(counted), [current]);
	let days = await read();
	const missing = days.filter(isMissing).slice(0, DAYS_AT_ONCE);
	if (missing.length > 0) {
		// On a full disk nothing can be kept, and all the same everybody is counted.
		await keep(database, counted, missing).catch(() => {});
		days = await read();
	}
	const since = days.find(({ counts }) => counts === null)?.day ?? current;
	const others = await query<{ name: string; people: number }>(
		`SELECT ${name} AS name, CAST(count(*) AS INTEGER) AS people FROM ${from}
		WHERE ${where} AND ${at} >= $1 GROUP BY ${name}`,
		[since],
	);
	const all = new Map<string, number>();
	for (const [name, people] of [
		...days.flatMap(({ day, counts }): [string, number][] =>
			day < since ? JSON.parse(counts!) : [],
		),
		...others.map(({ name, people }) => [name, people] as const),
	]) {
		all.set(name, (all.get(name) ?? 0) + people);
	}
	return all;
}

/**
 * Counts all days that are over before anybody asks, in small steps. It ends when they are counted, or at the signal.
 * @throws what the database throws
 */
export async function countAhead(
	database: Asked,
	all: readonly Counted[],
	now: Date,
	signal?: AbortSignal,
): Promise<void> {
	for (const counted of all) {
		const days = await database.query<Day>(daysOf(counted), [currentDay(now)]);
		const missing = days.filter(isMissing);
		while (missing.length > 0 && !signal?.aborted) {
			await keep(database, counted, missing.splice(0, AHEAD.days));
			await setTimeout(AHEAD.pauseMs, undefined, { ref: false });
		}
	}
}

/** The first day that may not be over. */
const currentDay = (now: Date) => new Date(now.getTime() - COMMITTED_MS).toISOString().slice(0, 10);

interface Day {
	day: string;
	counts: string | null;
}

const isMissing = ({ counts }: Day) => counts === null;

async function keep({ run, dialect }: Asked, counted: Counted, days: readonly Day[]) {
	const sql = count(counted, dialect);
	const counts = days.map(({ day }) => statement(sql, day));
	await run({ lock: lock(counted.as), counts, unlock: forget(counted.as, [NO_DAY], dialect) });
}

/** Has the days of these times counted anew. It belongs in the transaction that changes what happened then. */
export async function forgetDays(
	query: Query,
	dialect: Dialect,
	as: Counted["as"],
	times: readonly string[],
): Promise<void> {
	const days = new Set(times.map((time) => time.slice(0, 10)));
	// The time of what never happened.
	days.delete("");
	if (days.size === 0) return;
	await runEach(query, [lock(as), forget(as, [...days, NO_DAY], dialect)]);
}

/**
 * Has all days counted anew. The office asks for it as it opens: a server of an earlier version that was
 * still running may have erased somebody without knowing of these rows.
 */
export async function forgetAll({ query }: Pick<Asked, "query">): Promise<void> {
	// On a full disk they stay as they are.
	await query(`DELETE FROM ${COUNTED_DAY}`).catch(() => {});
}
