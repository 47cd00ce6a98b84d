import { rename } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import { withoutIndexes } from "../database/sqlite/catalogue.ts";
import { reasonOf, refuseTaken } from "../files/files.ts";
import { removeLeftPartialFiles, withPartialFile } from "../files/partial-file.ts";
import { syncFolder } from "../files/private-file.ts";
import { countLetters } from "../mail/emails/letter-counts.ts";
import type { Operation } from "../registrations/operation.ts";
import { writeChecksum } from "./checksum.ts";
import { copyTables, type ReadTables, readTables } from "./copy-tables.ts";
import { noteBackup } from "./last-backup.ts";
import { createSum, type Side } from "./sums.ts";

/**
 * Writes the waitlist as it is at this moment into one SQLite file, whichever database it comes
 * from, and reads it back. The file gets its name only after all of that has succeeded.
 *
 * @throws Error with a sentence for the operator when the file cannot be made or differs
 */
export async function backUp(operation: BackingUp, file: string): Promise<MadeBackup> {
	const { database, settings } = operation;
	refuseTaken(file);
	// An interrupted restore leaves its copy there.
	if (settings.database.kind === "sqlite") {
		await removeLeftPartialFiles(dirname(settings.database.file));
	}
	const read = await withPartialFile(file, async (partial) => {
		const copied = await copyInto(operation, partial);
		const read = await readBack(operation, partial, copied);
		await writeChecksum(partial);
		await rename(partial, file);
		await syncFolder(dirname(file));
		return read;
	});
	// Makes the backup also where the waitlist cannot be written, because a damaged one needs it
	// most.
	const made = { madeAt: operation.now.toISOString(), file: resolve(file) };
	const unnoted = await database.transact(noteBackup, made).then(() => undefined, reasonOf);
	return { ...read, ...(unnoted === undefined ? {} : { unnoted }) };
}

/**
 * Copies everything into a new file.
 *
 * @returns what was read of the source; undefined where the two were compared already
 */
async function copyInto(
	{ database, progress }: BackingUp,
	file: string,
): Promise<ReadTables | undefined> {
	const backup = await openDatabase({ kind: "sqlite", file }, { create: true, alone: true });
	try {
		if (database.copyInto) {
			await database.copyInto(file);
			return undefined;
		}
		let rows = 0;
		return await withoutIndexes(backup.query, () =>
			database.snapshot((query) =>
				copyTables(query, database.dialect, backup, (_, page) => {
					rows += page.length;
					progress.show("copied", rows, 0);
				}),
			),
		);
	} finally {
		await backup.close();
	}
}

type BackingUp = Pick<Operation, "database" | "settings" | "now" | "progress">;

/** What was read back of a backup. */
export interface MadeBackup extends ReadBack {
	/** Why the waitlist does not know of this backup, if it does not. */
	unnoted?: string;
}

/** The other notes belong to one database: whoever uses a copy starts without them. */
const FORGET_NOTES = "DELETE FROM note WHERE name NOT IN ('erasure key', 'gap')";

/** What stands in a backup. */
interface ReadBack extends Side {
	letters: number;
}

/**
 * Reads the file as a restore will: by a new connection, with every index.
 *
 * @param copied what was read of the source, if the file is not known to be the same
 * @throws Error with a sentence for the operator when the file is damaged, or is not the same
 */
async function readBack(
	{ database, progress }: BackingUp,
	file: string,
	copied: ReadTables | undefined,
): Promise<ReadBack> {
	const backup = await openDatabase({ kind: "sqlite", file }, { create: false, alone: true });
	try {
		await refuseUnlessWhole(backup);
		const registrations = createSum();
		const areThese = ({ name }: { name: string }) => name === "registration";
		const which = copied ? () => true : areThese;
		const found = await readTables(backup, which, (table, page) => {
			if (!areThese(table)) return;
			for (const { row } of page) registrations.add(row);
			progress.show("verified", registrations.rows, 0);
		});
		if (copied) refuseUnlessSame(copied, found, database.place);
		await backup.query(FORGET_NOTES);
		return { ...registrations.side(), letters: await countLetters(backup.query) };
	} finally {
		await backup.close();
		progress.end();
	}
}

/** @throws Error with a sentence for the operator */
function refuseUnlessSame(copied: ReadTables, found: ReadTables, place: string): void {
	for (const [table, ours] of copied) {
		const theirs = found.get(table)!;
		if (ours.rows === theirs.rows && ours.hash === theirs.hash) continue;
		throw new Error(
			`The backup differs from ${place}: ${table} has ${theirs.rows} rows instead of ${ours.rows}, or others.`,
		);
	}
}

/** @throws Error with a sentence for the operator when SQLite finds damage */
export async function refuseUnlessWhole(backup: Database): Promise<void> {
	const integrity = (await backup.check()).find(({ name }) => name === "integrity")!;
	if (!integrity.ok) throw new Error(`The backup is damaged: ${integrity.found}.`);
}
