import {
	countRows,
	countWhereSql,
	rowsSql,
	type Statement,
	selectKeys,
	sql,
	type Tx,
} from "../database/sql.ts";
import type { DayPeriod } from "../time.ts";

export const readPersonKeysAfter = (tx: Tx, after: string, condition: Statement, most: number) =>
	selectKeys(
		tx,
		sql`SELECT email_key AS "key" FROM registration
			WHERE email_key > ${after} AND ${condition} ORDER BY email_key LIMIT ${most}`,
	);

export const countRegistrations = (tx: Tx) => countRows(tx, sql`registration`);

export async function countPeopleByState(tx: Tx) {
	const count = (condition: Statement) => countRows(tx, sql`registration WHERE ${condition}`);
	return {
		confirmed: await count(sql`confirmed_at <> '' AND unsubscribed_at = ''`),
		unsubscribed: await count(sql`unsubscribed_at <> ''`),
		/** Includes people who unsubscribed. */
		bounced: await count(sql`bounced_at <> ''`),
	};
}

export interface JoinCount {
	name: string;
	count: number;
}

/** Counts people by source, in all and since the ISO 8601 time `midnight`. Today's largest sources come first. */
export const countPeopleBySource = (tx: Tx, most: number, midnight: string) =>
	tx.all(sql<
		JoinCount & { today: number }
	>`SELECT source AS name, CAST(count(*) AS INTEGER) AS count,
			${countWhereSql(sql`joined_at >= ${midnight}`)} AS today
		FROM registration GROUP BY source ORDER BY today DESC, count DESC, source LIMIT ${most}`);

export async function countJoinsByDay(tx: Tx, times: readonly DayPeriod[]): Promise<JoinCount[]> {
	const ranges = times.map(({ from, to }, place) => [String(place), from, to]);
	const rows = await tx.all(sql<{ place: string; count: number }>`SELECT value->>0 AS place, CAST((
			SELECT count(*) FROM registration WHERE joined_at >= value->>1 AND joined_at < value->>2
		) AS INTEGER) AS count FROM ${rowsSql(ranges)}`);
	const counts = new Map(rows.map(({ place, count }) => [Number(place), count]));
	return times.map(({ name }, place) => ({ name, count: counts.get(place)! }));
}

export const countPeopleByFlag = (tx: Tx) =>
	tx.all(sql<JoinCount>`SELECT flag AS name, CAST(count(*) AS INTEGER) AS count FROM registration
		WHERE flag <> '' GROUP BY flag ORDER BY flag`);
