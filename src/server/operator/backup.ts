import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdtemp, open, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Copied, copy } from "./copy.ts";
import { type Database, openDatabase } from "./database.ts";
import type { CodeOf } from "./erasure.ts";
import type { Progress } from "./progress.ts";
import { countRegistrations } from "./registrations.ts";

/** What SQLite keeps beside a file while it is open. */
const JOURNALS = ["-wal", "-shm"];

interface BackupSettings {
	codes: () => CodeOf;
	now: string;
	progress: Progress;
}

/**
 * Writes everything as it is at this moment into one SQLite file, whichever database it comes
 * from, and reads it back. The file appears under its name only when all of that has succeeded.
 *
 * @throws Error with a sentence for the operator when it cannot be made, or is not the same
 */
export async function backUp(
	database: Database,
	file: string,
	settings: BackupSettings,
): Promise<Copied> {
	if (existsSync(file)) throw new Error(`${file} is already there, and is not overwritten.`);
	const partial = `${file}.${randomUUID()}.partial`;
	try {
		const backup = await openDatabase({ kind: "sqlite", file: partial }, { create: true });
		const copied = await copy(database, backup, settings).finally(() => backup.close());
		if (!copied.comparison.same)
			throw new Error(`The backup is not the same as ${database.place}.`);
		await refuseUnlessAlone(partial, copied.comparison.target.rows);
		await rename(partial, file);
		await sync(dirname(file));
		return copied;
	} finally {
		for (const ending of ["", ...JOURNALS]) await rm(partial + ending, { force: true });
	}
}

/**
 * Adds what a backup holds to a database, which may be empty or in use. Rows that are there stay,
 * and whoever was erased since the backup stays erased. The file itself is only read.
 *
 * @throws Error with a sentence for the operator when the file is no whole waitlist
 */
export async function restore(
	database: Database,
	file: string,
	settings: BackupSettings,
): Promise<Copied> {
	if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
	const folder = await mkdtemp(join(tmpdir(), "waitlist-restore-"));
	try {
		// A backup of an older version is brought up to date in a copy.
		const copied = join(folder, "backup.db");
		await copyFile(file, copied);
		const backup = await openDatabase({ kind: "sqlite", file: copied }, { create: false }).catch(
			({ message }: Error) => {
				throw new Error(message.replace(copied, file));
			},
		);
		try {
			await refuseUnlessWhole(backup);
			return await copy(backup, database, settings);
		} finally {
			await backup.close();
		}
	} finally {
		await rm(folder, { recursive: true });
	}
}

/** Makes sure that the one file is everything: that nothing was left in a journal beside it. */
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

async function refuseUnlessWhole(backup: Database): Promise<void> {
	const integrity = (await backup.check()).find(({ name }) => name === "integrity")!;
	if (!integrity.ok) throw new Error(`The backup is damaged: ${integrity.found}.`);
}

/** A new name is on disk when its folder is. */
async function sync(folder: string): Promise<void> {
	const opened = await open(folder);
	await opened.sync().finally(() => opened.close());
}
