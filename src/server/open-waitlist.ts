import type { Report } from "./report.ts";
import type { DatabaseSettings } from "./settings.ts";
import { batch } from "./waitlist/batch.ts";
import { openSqlite } from "./waitlist/sqlite.ts";
import type { Waitlist } from "./waitlist/waitlist.ts";

/** What is asked of a database at once: limits that keep memory and waiting bounded. */
const limits = { queueRows: 20_000, patienceMs: 10_000 };

/**
 * Opens the waitlist where the settings say.
 *
 * @throws Error with a sentence for the operator when the database cannot be used
 */
export async function openWaitlist(database: DatabaseSettings, report: Report): Promise<Waitlist> {
	const ledger = await openSqlite(database.file);
	return batch(ledger, { ...limits, batchRows: 1000, parallelBatches: 1, report });
}
