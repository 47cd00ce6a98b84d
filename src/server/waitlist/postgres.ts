import { closePool, openPool, retryConflicts } from "./postgres-pool.ts";
import { insertStatement, keysOf, PROBE, postgres, rowsAsJson } from "./schema.ts";
import type { Ledger } from "./waitlist.ts";

/** Less than the timeout of a group commit, so that no statement outlives its visitors. */
const QUERY_MS = 3000;

const INSERT = insertStatement(postgres);

/**
 * Opens the waitlist kept in a PostgreSQL, which any number of copies of the server may share.
 *
 * @param url `postgres://…`
 * @param place the same for people, without the password
 * @param parallelCommits how many transactions run at the same time
 * @throws Error with a sentence for the operator when it cannot be used
 */
export async function openPostgres(
	url: string,
	{ place, parallelCommits }: { place: string; parallelCommits: number },
): Promise<Ledger> {
	// One connection more, so that a probe does not wait for the commits.
	const settings = { place, connections: parallelCommits + 1, queryMs: QUERY_MS };
	const pool = await openPool(url, settings);
	return {
		async add(registrations) {
			const rows = rowsAsJson(registrations);
			const added = await retryConflicts(() => pool.query<{ key: string }>(INSERT, [rows]));
			return keysOf(added.rows);
		},
		async probe() {
			// Taken back, not deleted: this needs the rights of a join and no others. After an error the
			// pool closes the connection, and with it the transaction.
			await pool.query(`BEGIN; ${PROBE}; ROLLBACK`);
		},
		close: () => closePool(pool),
	};
}
