import { MINUTE_MS } from "../time.ts";
import type { SharedDatabase } from "./database.ts";
import { type Statement, statement } from "./statement.ts";

/** The clocks of copies differ by less. */
const CLOCKS_MS = 5 * MINUTE_MS;

/** The latest time at which a wait of `longestMs` can end, ISO 8601: a wrong clock wrote a later one. */
export const furthest = (ms: number, longestMs: number) =>
	new Date(ms + longestMs + CLOCKS_MS).toISOString();

/** A column with the ends of waits. */
export interface Wait {
	table: string;
	column: string;
	longestMs: number;
	/** Which rows, in SQL; all by default. */
	where?: string;
}

/**
 * Gives what ends the waits that end too late, at most once a minute. The caller asks again and again,
 * because somebody waits for each of these times.
 *
 * @param lock what runs before it in the transaction
 */
export function waitMender(
	{ run }: Pick<SharedDatabase, "run">,
	waits: readonly Wait[],
	lock: readonly Statement[] = [],
): (ms: number) => Promise<void> {
	let mendedAt = Number.NEGATIVE_INFINITY;
	return async (ms) => {
		if (performance.now() - mendedAt < MINUTE_MS) return;
		const mended = waits.map(({ table, column, longestMs, where = "true" }) =>
			statement(
				`UPDATE ${table} SET ${column} = $1 WHERE ${column} > $2 AND ${where}`,
				new Date(ms).toISOString(),
				furthest(ms, longestMs),
			),
		);
		await run({ lock, mended });
		mendedAt = performance.now();
	};
}
