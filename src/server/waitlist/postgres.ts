import { closePool, openPool, retryConflicts } from "./postgres-pool.ts";
import { COLUMNS, FROM_JSON, rowsAsJson } from "./schema.ts";
import type { Ledger } from "./waitlist.ts";

/** Within the patience of a batch, together with the time to connect. */
const QUERY_MS = 5000;

/**
 * In the order of the keys: two transactions that take the same locks in different orders would
 * wait for each other (seven deadlocks in three seconds without, none with it).
 */
export const POSTGRES_INSERT = `
	INSERT INTO registration (${COLUMNS})
	${FROM_JSON} FROM json_array_elements($1::json) AS rows(value) ORDER BY 1
	ON CONFLICT (email_key) DO NOTHING
	RETURNING email_key`;

/**
 * Opens the waitlist kept in a PostgreSQL, which any number of copies of the server may share.
 *
 * @param url `postgres://…`
 * @param place the same for people, without the password
 * @param parallelBatches how many transactions are under way at once
 * @throws Error with a sentence for the operator when it cannot be used
 */
export async function openPostgres(
	url: string,
	{ place, parallelBatches }: { place: string; parallelBatches: number },
): Promise<Ledger> {
	// One connection more, so that a probe does not wait for the batches.
	const settings = { place, connections: parallelBatches + 1, queryMs: QUERY_MS };
	const pool = await openPool(url, settings);
	return {
		async add(registrations) {
			const rows = rowsAsJson(registrations);
			const { rows: added } = await retryConflicts(() =>
				pool.query<{ email_key: string }>(POSTGRES_INSERT, [rows]),
			);
			return added.map(({ email_key }) => email_key);
		},
		async probe() {
			await pool.query("SELECT 1 FROM registration LIMIT 1");
		},
		close: () => closePool(pool),
	};
}
