import { rename } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { copyTables } from "../database/copy-tables.ts";
import type { Database } from "../database/database.ts";
import { noteBackup } from "../database/notes.ts";
import { openDatabase } from "../database/open-database.ts";
import { reasonOf, refuseTaken, syncPath } from "../files/files.ts";
import { removeLeftPartialFiles, withPartialFile } from "../files/partial-file.ts";
import type { Operation } from "../registrations/operation.ts";
import { writeChecksum } from "./checksum.ts";

/**
 * Writes the waitlist as it is at this moment into one SQLite file, whichever database it comes from. The
 * file gets its name when all of it was checked.
 *
 * @returns how many rows each table has
 * @throws Error with a sentence for the founder when the file cannot be made
 */
export async function backUp(
	{ database, settings, now }: Operation,
	file: string,
): Promise<Record<string, number>> {
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
		const made = await openDatabase(copy, { create: false, alone: true });
		await refuseDamaged(made).finally(() => made.close());
		await writeChecksum(partial);
		await rename(partial, file);
		await syncPath(dirname(file));
		return rows;
	});
	// A damaged waitlist that cannot be written needs the backup most.
	await database
		.transact(noteBackup, { madeAt: now.toISOString(), file: resolve(file) })
		.catch(() => {});
	return rows;
}

/** @throws Error with a sentence for the founder when SQLite finds damage */
export async function refuseDamaged(backup: Database): Promise<void> {
	const findings = await backup.check().catch((error) => {
		throw new Error(`The backup is damaged: ${reasonOf(error)}.`);
	});
	const integrity = findings.find(({ name }) => name === "integrity")!;
	if (!integrity.ok) throw new Error(`The backup is damaged: ${integrity.found}.`);
}
