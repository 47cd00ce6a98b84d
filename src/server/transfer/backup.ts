import { rename } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { copyTables } from "../database/copy-tables.ts";
import type { Database } from "../database/database.ts";
import { noteBackup } from "../database/last-backup.ts";
import { openDatabase } from "../database/open-database.ts";
import { reasonOf, refuseTaken, syncPath } from "../files/files.ts";
import { removeLeftPartialFiles, withPartialFile } from "../files/partial-file.ts";
import type { Operation } from "../registrations/operation.ts";
import { writeChecksum } from "./checksum.ts";

/** A backup that was made. */
export interface MadeBackup {
	/** How many rows each table has. */
	rows: Record<string, number>;
	/** Why the waitlist does not know of this backup, if it does not. */
	unnoted?: string;
}

/**
 * Writes the waitlist as it is at this moment into one SQLite file, whichever database it comes from. The
 * file gets its name when all of it was checked.
 *
 * @throws Error with a sentence for the founder when the file cannot be made
 */
export async function backUp(
	{ database, settings, now }: Operation,
	file: string,
): Promise<MadeBackup> {
	refuseTaken(file);
	// A restore that was killed leaves its copy there.
	if (settings.database.kind === "sqlite") {
		await removeLeftPartialFiles(dirname(settings.database.file));
	}
	const rows = await withPartialFile(file, async (partial) => {
		const copy = { kind: "sqlite" as const, file: partial };
		const backup = await openDatabase(copy, { create: true, alone: true });
		const rows = await database
			.read((tx) => backup.transact((to) => copyTables(tx, to), undefined), undefined)
			.finally(() => backup.close());
		await refuseUnlessWhole(partial);
		await writeChecksum(partial);
		await rename(partial, file);
		await syncPath(dirname(file));
		return rows;
	});
	// A damaged waitlist that cannot be written needs the backup most.
	const made = { madeAt: now.toISOString(), file: resolve(file) };
	const unnoted = await database.transact(noteBackup, made).then(() => undefined, reasonOf);
	return { rows, ...(unnoted === undefined ? {} : { unnoted }) };
}

/** @throws Error with a sentence for the founder when SQLite finds damage */
async function refuseUnlessWhole(file: string): Promise<void> {
	const backup = await openDatabase({ kind: "sqlite", file }, { create: false, alone: true });
	await refuseDamaged(backup).finally(() => backup.close());
}

/** @throws Error with a sentence for the founder when SQLite finds damage */
export async function refuseDamaged(backup: Database): Promise<void> {
	const integrity = (await backup.check()).find(({ name }) => name === "integrity")!;
	if (!integrity.ok) throw new Error(`The backup is damaged: ${integrity.found}.`);
}
