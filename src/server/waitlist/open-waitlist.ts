import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { type DatabaseSettings, describeDatabase } from "../settings.ts";
import { type GroupCommitSettings, groupCommit } from "./group-commit.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";
import type { Joining, Ledger, Waitlist } from "./waitlist.ts";

/** Keeps memory bounded, whatever the database. */
const QUEUE_ROWS = 20_000;

/**
 * SQLite has one writer, for which one commit may wait. PostgreSQL takes the next commit while the
 * last one reaches its disk. When either is frozen, locked or unreachable, a visitor is answered
 * within 5 s (promise 57), of which at least 1 s is left to spare. A lock on SQLite outlasts two
 * commits of 2 s each.
 */
const commits = {
	sqlite: { batchRows: 1000, parallelCommits: 1, commitsAhead: 1, timeoutMs: 4000 },
	postgres: { batchRows: 500, parallelCommits: 2, commitsAhead: 0, timeoutMs: 3500 },
} as const;

/**
 * Opens the waitlist that the settings name.
 *
 * @param joining what a join does, if more than to add a registration
 * @throws Error with a sentence for the operator when the database cannot be used
 */
export async function openWaitlist(
	database: DatabaseSettings,
	log: Log,
	{ metrics, joining }: { metrics?: Metrics | undefined; joining?: Joining | undefined } = {},
): Promise<Waitlist> {
	const settings: GroupCommitSettings = {
		queueRows: QUEUE_ROWS,
		...commits[database.kind],
		log,
	};
	const ledger = await openLedger(database, settings.parallelCommits, joining);
	if (!metrics) return groupCommit(ledger, settings);
	return metrics.waitlist(groupCommit(metrics.ledger(ledger), settings));
}

/** Opens only the database, for so many commits at the same time. */
export function openLedger(
	database: DatabaseSettings,
	parallelCommits: number,
	joining?: Joining,
): Promise<Ledger> {
	if (database.kind === "sqlite") return openSqlite(database.file, { joining });
	const place = describeDatabase(database);
	return openPostgres(database.url, { place, parallelCommits, joining });
}
