import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import type { Command } from "commander";
import { backupDays } from "#shared/retention.ts";
import { FIELDS } from "../waitlist/schema.ts";
import type { Registration } from "../waitlist/waitlist.ts";
import { copy, createSum, type Side } from "./copy.ts";
import type { Database } from "./database/database.ts";
import { countLetters } from "./database/letters.ts";
import { openDatabase } from "./database/open-database.ts";
import { refuseTaken } from "./files/files.ts";
import { removeLeftPartialFiles, withPartialFile } from "./files/partial-file.ts";
import { syncFolder } from "./files/private-file.ts";
import { JSON_HELP, type Operation, print, withDatabase } from "./operation.ts";

/** Adds `waitlist backup`: everything in one verified file. */
export function addBackup(program: Command): void {
	program
		.command("backup <file>")
		.description("write everything as it is now into one file, and read it back")
		.option("--json", JSON_HELP)
		.addHelpText(
			"after",
			"\nThe privacy policy promises that the last copy of an erased address is gone within\n" +
				`${backupDays} days: delete each backup before it is older.`,
		)
		.action(async (file: string, { json }) => {
			await withDatabase(async (operation) => {
				const { rows, hash, letters } = await backUp(operation, file);
				const found = letters > 0 ? { rows, letters, hash } : { rows, hash };
				const and = letters > 0 ? ` and ${letters} letters` : "";
				print(json, { file, ...found }, () => `${rows} rows${and} in ${file}, verified (${hash}).`);
			});
		});
}

/**
 * Writes the waitlist as it is at this moment into one SQLite file, whichever database it comes
 * from, and reads it back. The file gets its name only after all of that has succeeded.
 *
 * @returns what was read back
 * @throws Error with a sentence for the operator when the file cannot be made or differs
 */
async function backUp(operation: Operation, file: string): Promise<ReadBack> {
	const { settings } = operation;
	refuseTaken(file);
	// An interrupted restore leaves its copy there.
	if (settings.database.kind === "sqlite") {
		await removeLeftPartialFiles(dirname(settings.database.file));
	}
	return withPartialFile(file, async (partial) => {
		await copyInto(operation, partial);
		await sync(partial);
		const side = await readBack(operation, partial);
		await rename(partial, file);
		await syncFolder(dirname(file));
		return side;
	});
}

/** Copies everything into a new file, and compares it with the same moment of the source. */
async function copyInto(operation: Operation, file: string): Promise<void> {
	const { database } = operation;
	const backup = await openDatabase({ kind: "sqlite", file }, { create: true, alone: true });
	try {
		if (database.copyInto) return await database.copyInto(file);
		// The proofs are copied as they are, so that this needs no key.
		const options = { ...operation, proofs: undefined, exactly: true };
		const { comparison } = await copy(database, backup, options);
		if (!comparison.same) throw new Error(`The backup differs from ${database.place}.`);
	} finally {
		await backup.close();
	}
}

/** What stands in a backup. */
interface ReadBack extends Side {
	letters: number;
}

/** Reads the file as a restore will: by a new connection, with every index. */
async function readBack({ progress }: Operation, file: string): Promise<ReadBack> {
	const backup = await openDatabase({ kind: "sqlite", file }, { create: false, alone: true });
	try {
		await refuseUnlessWhole(backup);
		const sum = createSum();
		// In the order of the file: by key, each row would be looked up in another place.
		for (let after = 0; ; ) {
			const page = await backup.query<Registration & { place: number }>(
				`SELECT rowid AS place, ${FIELDS} FROM registration WHERE rowid > $1
				ORDER BY rowid LIMIT 1000`,
				[after],
			);
			if (page.length === 0) return { ...sum.side(), letters: await countLetters(backup.query) };
			for (const row of page) sum.add(row);
			progress.show("verified", sum.rows, 0);
			after = page.at(-1)!.place;
		}
	} finally {
		await backup.close();
		progress.end();
	}
}

/** @throws Error with a sentence for the operator when SQLite finds damage */
export async function refuseUnlessWhole(backup: Database): Promise<void> {
	const integrity = (await backup.check()).find(({ name }) => name === "integrity")!;
	if (!integrity.ok) throw new Error(`The backup is damaged: ${integrity.found}.`);
}

async function sync(file: string): Promise<void> {
	const opened = await open(file, "r+");
	await opened.sync().finally(() => opened.close());
}
