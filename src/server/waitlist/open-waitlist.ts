import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { type DatabaseSettings, describeDatabase } from "../settings.ts";
import { type BatchSettings, batch } from "./group-commit.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";
import type { Ledger, Waitlist } from "./waitlist.ts";

/** What is asked of a database at once: limits that keep memory and waiting bounded. */
const limits = { queueRows: 20_000, patienceMs: 10_000 };

/** SQLite has one writer, which one batch may wait for. PostgreSQL takes the next batch while the last one reaches its disk. */
const batches = {
	sqlite: { batchRows: 1000, parallelBatches: 1, batchesAhead: 1 },
	postgres: { batchRows: 500, parallelBatches: 2, batchesAhead: 0 },
} as const;

/**
 * Opens the waitlist where the settings say.
 *
 * @throws Error with a sentence for the operator when the database cannot be used
 */
export async function openWaitlist(
	database: DatabaseSettings,
	report: Log,
	metrics?: Metrics,
): Promise<Waitlist> {
	const settings: BatchSettings = { ...limits, ...batches[database.kind], report };
	const ledger = await openLedger(database, settings.parallelBatches);
	if (!metrics) return batch(ledger, settings);
	return metrics.waitlist(batch(metrics.ledger(ledger), settings));
}

/** Opens the database alone, for so many batches at once. */
export function openLedger(database: DatabaseSettings, parallelBatches: number): Promise<Ledger> {
	if (database.kind === "sqlite") return openSqlite(database.file);
	return openPostgres(database.url, { place: describeDatabase(database), parallelBatches });
}
