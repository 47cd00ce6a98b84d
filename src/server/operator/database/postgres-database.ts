import type { Pool, PoolClient } from "pg";
import { describeDatabase } from "../../settings.ts";
import {
	closePool,
	inTransaction,
	openPool,
	retryConflicts,
} from "../../waitlist/postgres-pool.ts";
import { postgres } from "../../waitlist/schema.ts";
import type { Database, Finding, Query } from "./database.ts";

/** Counting a large table takes longer than a visitor would wait. */
const QUERY_MS = 120_000;

/** Clocks that differ by more may put joins in the wrong order. */
const MOST_CLOCK_DIFFERENCE_MS = 2000;

/**
 * Opens a waitlist in a PostgreSQL, beside the servers that use it.
 *
 * @throws Error with a sentence for the operator
 */
export async function openPostgresDatabase(database: {
	kind: "postgres";
	url: string;
}): Promise<Database> {
	const place = describeDatabase(database);
	const pool = await openPool(database.url, { place, connections: 2, queryMs: QUERY_MS });
	const query = queryOn(pool);
	return {
		place,
		dialect: postgres,
		query,
		transaction: (work) =>
			retryConflicts(() => inTransaction(pool, "BEGIN", (client) => work(queryOn(client)))),
		snapshot: (work) =>
			inTransaction(pool, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", (client) =>
				work(queryOn(client)),
			),
		// Dead rows and the journal are the server's own: it overwrites them as it vacuums.
		forget: () => Promise.resolve(),
		check: () => check(query),
		close: () => closePool(pool),
	};
}

function queryOn(connection: Pool | PoolClient): Query {
	return async <Selected extends object>(
		sql: string,
		parameters: readonly (string | number)[] = [],
	) => (await connection.query<Selected>(sql, [...parameters])).rows;
}

async function check(query: Query): Promise<Finding[]> {
	const [settings] = await query<{ version: string; fsync: string; commit: string }>(`
		SELECT current_setting('server_version', true) AS version,
			current_setting('fsync', true) AS fsync,
			current_setting('synchronous_commit', true) AS commit`);
	const before = Date.now();
	const [clock] = await query<{ now: Date }>("SELECT now() AS now");
	const differenceMs = Math.round(clock!.now.getTime() - (before + Date.now()) / 2);
	const { version, fsync, commit } = settings!;
	return [
		{ name: "PostgreSQL", ok: true, found: version },
		{ name: "fsync", ok: fsync !== "off", found: fsync ?? "not told" },
		{ name: "synchronous_commit", ok: commit !== "off", found: commit ?? "not told" },
		{
			name: "clocks",
			ok: Math.abs(differenceMs) <= MOST_CLOCK_DIFFERENCE_MS,
			found: `the database is ${Math.abs(differenceMs)} ms ${differenceMs < 0 ? "behind" : "ahead"}`,
		},
	];
}
