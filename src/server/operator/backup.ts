import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Command } from "commander";
import { backupDays } from "#shared/retention.ts";
import { type Copied, copy } from "./copy.ts";
import type { Database } from "./database/database.ts";
import { openDatabase } from "./database/open-database.ts";
import { countRegistrations } from "./database/registrations.ts";
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
				const { rows, hash } = (await backUp(operation, file)).comparison.target;
				print(json, { file, rows, hash }, () => `${rows} rows in ${file}, verified (${hash}).`);
			});
		});
}

/** What SQLite keeps beside a file while it is open. */
const JOURNALS = ["-wal", "-shm"];

/**
 * Writes the waitlist as it is at this moment into one SQLite file, whichever database it comes
 * from, and reads it back. The file gets its name only after all of that has succeeded.
 *
 * @throws Error with a sentence for the operator when the file cannot be made or differs
 */
async function backUp(operation: Operation, file: string): Promise<Copied> {
	const { database } = operation;
	if (existsSync(file)) throw new Error(`${file} is already there, and is not overwritten.`);
	const partial = `${file}.${randomUUID()}.partial`;
	try {
		const backup = await openDatabase({ kind: "sqlite", file: partial }, { create: true });
		const copied = await copy(database, backup, operation).finally(() => backup.close());
		if (!copied.comparison.same) throw new Error(`The backup differs from ${database.place}.`);
		await refuseUnlessAlone(partial, copied.comparison.target.rows);
		await rename(partial, file);
		await sync(dirname(file));
		return copied;
	} finally {
		for (const ending of ["", ...JOURNALS]) await rm(partial + ending, { force: true });
	}
}

/** Makes sure that the file is complete without the journals beside it. */
async function refuseUnlessAlone(file: string, rows: number): Promise<void> {
	for (const ending of JOURNALS) await rm(file + ending, { force: true });
	const backup = await openDatabase({ kind: "sqlite", file }, { create: false });
	try {
		await refuseUnlessWhole(backup);
		const kept = await countRegistrations(backup.query);
		if (kept !== rows) throw new Error(`The backup holds ${kept} rows instead of ${rows}.`);
	} finally {
		await backup.close();
	}
}

/** @throws Error with a sentence for the operator when SQLite finds damage */
export async function refuseUnlessWhole(backup: Database): Promise<void> {
	const integrity = (await backup.check()).find(({ name }) => name === "integrity")!;
	if (!integrity.ok) throw new Error(`The backup is damaged: ${integrity.found}.`);
}

/** Syncs a folder: the new name of a file in it is on disk only after that. */
async function sync(folder: string): Promise<void> {
	const opened = await open(folder);
	await opened.sync().finally(() => opened.close());
}
