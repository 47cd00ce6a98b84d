import type { Database, Finding, ServerDatabase } from "../database.ts";
import { sql } from "../sql.ts";
import { type Transact, type Tx, txOver } from "../transaction.ts";
import { closePool, inTransaction, openPool, retryConflicts, txOn } from "./pool.ts";
import { refuseUnlessDurable } from "./session.ts";

/** However many joins there are, the settings that keep them are looked at once in this time. */
const PROVEN_MS = 1000;

/** How long a statement may take that no visitor waits for: as long as counting a large table. */
export const LONG_MS = 120_000;

/** The name of a server's connections, for whoever must not run beside one. A pooler may hide it. */
export const SERVER = "waitlist server";

/** Begins a transaction that reads the database as it was at the start. */
const READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/** Clocks that differ by more may put joins in the wrong order. */
const MOST_CLOCK_DIFFERENCE_MS = 2000;

/**
 * Opens a PostgreSQL, which any number of servers and commands may share.
 *
 * @param place the address for people, without the password
 * @param connections how many at most
 * @param queryMs how long a statement may take
 * @param name what PostgreSQL calls the connections
 * @throws Error with a sentence for the operator when it cannot be used
 */
export async function openPostgres(
	url: string,
	settings: { place: string; connections: number; queryMs: number; name: string },
): Promise<Database & ServerDatabase> {
	const connections = await openPool(url, settings);
	const { pool, begin, scope } = connections;
	const transact: Transact = (work, input) =>
		retryConflicts(() => inTransaction(connections, "BEGIN", (tx) => work(tx, input)));
	const alone = txOn(pool);
	// Behind a pooler our settings hold in transactions only.
	const tx = txOver((statement) =>
		scope() === "session"
			? retryConflicts(() => alone.all(statement))
			: transact((tx) => tx.all(statement), undefined),
	);
	let provenAt = Number.NEGATIVE_INFINITY;
	let proof = Promise.resolve();
	/** Resolves while what is committed survives a crash. */
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
		async commit(work, input) {
			const [result] = await Promise.all([transact(work, input), prove()]);
			return result;
		},
		async probe({ add: { text } }) {
			// Taken back, not deleted: this needs the rights of a join and no others. After an error the
			// pool closes the connection, and with it the transaction.
			await Promise.all([pool.query(`${begin("BEGIN")}; ${text}; ROLLBACK`), prove()]);
		},
		transact,
		read: (work, input) => inTransaction(connections, READ, (tx) => work(tx, input), LONG_MS),
		async exclusive(work) {
			const servers = await tx.all(sql`SELECT 1 AS one FROM pg_stat_activity
				WHERE datname = current_database() AND application_name = ${SERVER} LIMIT 1`);
			if (servers.length > 0) {
				throw new Error(`${settings.place} is in use: stop every server, and run this again.`);
			}
			return inTransaction(connections, "BEGIN ISOLATION LEVEL REPEATABLE READ", work, LONG_MS);
		},
		// Dead rows and the journal are the server's own: it overwrites them as it vacuums.
		forget: () => Promise.resolve(),
		check: () => check(tx),
		close: () => closePool(pool),
	};
}

async function check(tx: Tx): Promise<Finding[]> {
	// Of the settings that could lose rows, this connection would not be open with one that is off.
	const settings = await tx.first(sql<Record<string, string | null>>`
		SELECT current_setting('server_version', true) AS version,
			current_setting('fsync', true) AS fsync,
			current_setting('full_page_writes', true) AS pages,
			current_setting('synchronous_commit', true) AS commit`);
	const before = Date.now();
	const [clock] = await tx.all(sql<{ now: Date }>`SELECT now() AS now`);
	const differenceMs = Math.round(clock!.now.getTime() - (before + Date.now()) / 2);
	const { version, fsync, pages, commit } = settings!;
	const told = (name: string, value: string | null | undefined): Finding => ({
		name,
		ok: value !== "off",
		found: value ?? "not told",
	});
	return [
		{ name: "PostgreSQL", ok: true, found: version ?? "not told" },
		told("fsync", fsync),
		told("full_page_writes", pages),
		told("synchronous_commit", commit),
		{
			name: "clocks",
			ok: Math.abs(differenceMs) <= MOST_CLOCK_DIFFERENCE_MS,
			found: `the database is ${Math.abs(differenceMs)} ms ${differenceMs < 0 ? "behind" : "ahead"}`,
		},
	];
}
