import { setTimeout as wait } from "node:timers/promises";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import type { SharedDatabase } from "../database.ts";
import { statement } from "../statement.ts";
import { indexesOfPeople } from "./catalogue.ts";
import { fileHolds } from "./file-holds.ts";

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

/** `SharedDatabase.forget`. @param tryToEmpty runs {@link tryToEmptyJournal} */
export async function forgetIn(
	{ place, query, run }: Pick<SharedDatabase, "place" | "query" | "run">,
	texts: readonly string[],
	tryToEmpty: () => Promise<boolean>,
): Promise<void> {
	// secure_delete overwrites the row in the file itself. The journal still holds the old page.
	await emptyJournal(place, tryToEmpty);
	if (!(await fileHolds(place, texts))) return;
	// When SQLite splits a page of an index, it may leave entries that moved in the unused part of
	// the old page, where no deletion reaches them: those of 10 in 17,000 rows (SQLite 3.53). A new
	// index has no such page. On a million rows each takes about a second.
	for (const name of await indexesOfPeople(query))
		await run({ made: statement(`REINDEX ${name}`) });
	await emptyJournal(place, tryToEmpty);
}

async function emptyJournal(file: string, tryToEmpty: () => Promise<boolean>): Promise<void> {
	const deadline = performance.now() + LONGEST_MS;
	while (!(await tryToEmpty())) {
		if (performance.now() > deadline) {
			throw new Error(
				"The rows are deleted, but the erasure is not complete: another program has been " +
					`reading for ${LONGEST_MS / 1000} s, so that ${file}-wal still holds what they held. When ` +
					"that program is done, run this command again until it says no more of this. Then " +
					"`waitlist find` shows the proof.",
			);
		}
		await wait(PAUSE_MS);
	}
}
