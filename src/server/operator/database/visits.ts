import type { Database, Query } from "./database.ts";

/** How often the landing page was opened on a day. */
export interface VisitDay {
	/** In UTC, as in `2026-11-21`. */
	day: string;
	visits: number;
}

/** The days on which visits were counted, from one on, the oldest first. */
export function visitDays(query: Query, since = ""): Promise<VisitDay[]> {
	return query("SELECT day, visits FROM visit_day WHERE day >= $1 ORDER BY day", [since]);
}

/**
 * Copies the visits of each day. Of a day that both know the larger number stays, and not the sum, so
 * that a copy can be repeated.
 */
export async function copyVisits(source: Query, { query, dialect }: Database): Promise<void> {
	const days = await visitDays(source);
	await query(
		`INSERT INTO visit_day (day, visits)
		SELECT value->>0, CAST(value->>1 AS INT) FROM ${dialect.jsonRows} WHERE true
		${dialect.insertOrder}
		ON CONFLICT (day) DO UPDATE SET visits = excluded.visits
		WHERE excluded.visits > visit_day.visits`,
		[JSON.stringify(days.map(({ day, visits }) => [day, visits]))],
	);
}
