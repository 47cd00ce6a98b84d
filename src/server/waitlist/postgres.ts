import { closePool, inTransaction, openPool, retryConflicts } from "./postgres-pool.ts";
import { join, keysOf, PROBE, postgres, rowsAsJson } from "./schema.ts";
import type { Joining, Ledger, Run, Statement } from "./waitlist.ts";

/** Less than the timeout of a group commit, so that no statement outlives its visitors. */
const QUERY_MS = 3000;

/**
 * Opens the waitlist kept in a PostgreSQL, which any number of copies of the server may share.
 *
 * @param url `postgres://…`
 * @param place the same for people, without the password
 * @param parallelCommits how many batches run at the same time
 * @throws Error with a sentence for the operator when it cannot be used
 */
export async function openPostgres(
	url: string,
	{
		place,
		parallelCommits,
		joining = join(postgres),
	}: { place: string; parallelCommits: number; joining?: Joining | undefined },
): Promise<Ledger> {
	// One connection more, so that a probe does not wait for the commits.
	const settings = { place, connections: parallelCommits + 1, queryMs: QUERY_MS };
	const pool = await openPool(url, settings);
	const run: Run = (statements) =>
		retryConflicts(async () => {
			const [only, ...others] = statements;
			if (only && others.length === 0) {
				return [(await pool.query<object>(only.sql, [...(only.parameters ?? [])])).rows];
			}
			return inTransaction(pool, "BEGIN", async (client) => {
				const results: object[][] = [];
				for (const { sql, parameters = [] } of statements) {
					results.push((await client.query<object>(sql, [...parameters])).rows);
				}
				return results;
			});
		});
	return {
		async add(registrations) {
			// One statement, which has a name: planning it takes a fifth of its time.
			const [{ sql, parameters = [] }] = joining(rowsAsJson(registrations)) as [Statement];
			const query = { name: "join", text: sql, values: [...parameters] };
			const added = await retryConflicts(() => pool.query<{ key: string }>(query));
			return keysOf(added.rows);
		},
		run,
		async probe() {
			// Taken back, not deleted: this needs the rights of a join and no others. After an error the
			// pool closes the connection, and with it the transaction.
			await pool.query(`BEGIN; ${PROBE}; ROLLBACK`);
		},
		close: () => closePool(pool),
	};
}
