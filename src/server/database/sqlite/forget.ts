import { setTimeout as wait } from "node:timers/promises";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";

/** The busy timeout of a try: SQLite keeps writers out while it waits for readers, which delays every join. */
const TRY_MS = 20;

/** Between two attempts, for the visitors. */
const PAUSE_MS = 100;

/** How long the journal may be in use: longer than a backup of a million rows. */
const LONGEST_MS = 30_000;

/** Tries to empty the journal, and returns whether it is empty: somebody may be reading it. */
export function tryToEmptyJournal(connection: DatabaseSyncInstance): boolean {
	const before = connection.prepare("PRAGMA busy_timeout").get();
	// The passive checkpoint does most of the work, and keeps no writer out.
	connection.exec(`PRAGMA wal_checkpoint(PASSIVE); PRAGMA busy_timeout = ${TRY_MS}`);
	try {
		return connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0;
	} finally {
		connection.exec(`PRAGMA busy_timeout = ${before?.timeout}`);
	}
}

/**
 * Empties the journal: secure_delete overwrites a deleted row in the file, and the journal still holds its
 * old page.
 *
 * @param tryToEmpty runs {@link tryToEmptyJournal}
 * @throws Error with a sentence for the founder while another program reads for long
 */
export async function emptyJournal(
	file: string,
	tryToEmpty: () => Promise<boolean>,
): Promise<void> {
	const deadline = performance.now() + LONGEST_MS;
	while (!(await tryToEmpty())) {
		if (performance.now() > deadline) {
			throw new Error(
				"The rows are deleted, but the deletion is not complete: another program has been " +
					`reading for ${LONGEST_MS / 1000} s, so that ${file}-wal still holds what they held. When ` +
					"that program is done, run this command again until it says no more of this. Then " +
					"`waitlist find` says when it was.",
			);
		}
		await wait(PAUSE_MS);
	}
}
