import type { Database } from "../database.ts";
import { sql, type Transact, txOver } from "../sql.ts";
import {
	closePool,
	inTransaction,
	openPool,
	type PoolSettings,
	readDurable,
	refuseUnlessDurable,
	retryConflicts,
	txOn,
} from "./pool.ts";

/** However many transactions there are, the settings that keep them are read once in this time. */
const PROVEN_MS = 1000;

/** How long a statement may take that no visitor waits for: as long as counting a large table. */
export const LONG_MS = 120_000;

/** The name of a server's connections, to find servers that run. A pooler may hide it. */
export const SERVER = "waitlist server";

/** Begins a transaction that reads the database as it was at the start. */
const READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/**
 * Opens a PostgreSQL, which any number of servers and commands may share.
 *
 * @throws Error with a sentence for the founder when it cannot be used
 */
export async function openPostgres(url: string, settings: PoolSettings): Promise<Database> {
	const connections = await openPool(url, settings);
	const { pool, scope } = connections;
	const run: Transact = (work, input) =>
		retryConflicts(() => inTransaction(connections, "BEGIN", (tx) => work(tx, input)));
	const alone = txOn(pool);
	// Behind a pooler our settings hold in transactions only.
	const tx = txOver((statement) =>
		scope() === "session"
			? retryConflicts(() => alone.all(statement))
			: run((tx) => tx.all(statement), undefined),
	);
	let provenAt = Number.NEGATIVE_INFINITY;
	let proof = Promise.resolve();
	/** Resolves while a commit survives a crash. */
	function prove(): Promise<void> {
		if (performance.now() - provenAt >= PROVEN_MS) {
			provenAt = performance.now();
			proof = refuseUnlessDurable(tx);
		}
		return proof;
	}
	return {
		...tx,
		place: settings.place,
		async transact(work, input) {
			const [result] = await Promise.all([run(work, input), prove()]);
			return result;
		},
		read: (work, input) => inTransaction(connections, READ, (tx) => work(tx, input), LONG_MS),
		async exclusive(work) {
			const servers = await tx.all(sql`SELECT 1 AS one FROM pg_stat_activity
				WHERE datname = current_database() AND application_name = ${SERVER} LIMIT 1`);
			if (servers.length > 0) {
				throw new Error(`${settings.place} is in use: stop every server, and run this again.`);
			}
			return inTransaction(connections, "BEGIN ISOLATION LEVEL REPEATABLE READ", work, LONG_MS);
		},
		// PostgreSQL overwrites dead rows and its journal as it vacuums.
		forget: () => Promise.resolve(),
		async check() {
			const version = sql<{ found: string }>`SELECT current_setting('server_version') AS found`;
			return [
				{ name: "PostgreSQL", ok: true, ...(await tx.first(version))! },
				...(await readDurable(tx)).map(([name, value]) => ({
					name,
					ok: value !== "off",
					found: value ?? "this database has no such setting",
				})),
			];
		},
		close: () => closePool(pool),
	};
}
