import { chmodSync, existsSync } from "node:fs";
import { copyFile, open, stat } from "node:fs/promises";
import type { Command } from "commander";
import { describeDatabase } from "../settings.ts";
import { refuseUnlessWhole } from "./backup.ts";
import { type Copied, copiedAsText, copy } from "./copy.ts";
import type { Database } from "./database/database.ts";
import { openDatabase } from "./database/open-database.ts";
import { hasErasures, knowsErasures, openProofs, type Proofs } from "./erasure/erasure.ts";
import { findKey, keyDiffers, readFingerprint } from "./erasure/erasure-key.ts";
import { withPartialFile } from "./files/partial-file.ts";
import { JSON_HELP, type Operation, operatorAgrees, print, withDatabase } from "./operation.ts";

/** Adds `waitlist restore`: what a backup holds. */
export function addRestore(program: Command): void {
	program
		.command("restore <file>")
		.summary("add what a backup holds")
		.description(
			"Adds what a backup holds. Rows that are there stay as they are, and an address that was " +
				"erased, here or in the backup, does not come back. Letters come in held: see release.",
		)
		.option(
			"--without-proofs",
			"go on where proofs of erasure are lost, or their key: whoever only they recognize comes back",
		)
		.option("--json", JSON_HELP)
		.action(async (file: string, { withoutProofs = false, json }) => {
			await refuseUnlessDatabase(file);
			await withDatabase(
				async (operation) => {
					const copied = await restore(operation, file, { withoutProofs });
					print(json, copied, () => copiedAsText(copied, operation.database.place));
				},
				{ create: true },
			);
		});
}

/** What every SQLite file starts with (sqlite.org/fileformat.html, section 1.3). */
const MAGIC = "SQLite format 3\0";

/**
 * @throws Error with a sentence for the operator when the file cannot be a backup, or when it is a
 *   database in use, whose latest rows are in its journal
 */
async function refuseUnlessDatabase(file: string): Promise<void> {
	if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
	const found = await stat(file);
	if (found.isDirectory()) throw new Error(`${file} is a folder: it is not a backup.`);
	if (found.size === 0) throw new Error(`${file} is empty: it is not a backup.`);
	const opened = await open(file);
	const { buffer } = await opened
		.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0)
		.finally(() => opened.close());
	if (buffer.toString("latin1") !== MAGIC) {
		throw new Error(`The waitlist ${file} cannot be opened: file is not a database.`);
	}
	for (const journal of [`${file}-wal`, `${file}-journal`]) {
		const left = await stat(journal).catch(() => undefined);
		if (!left || left.size === 0) continue;
		throw new Error(
			`${file} is not a backup but a database in use, or one that was not closed: its latest rows ` +
				`are in ${journal}. Make a backup of both, and restore that: ` +
				`DATABASE_URL=file:${file} waitlist backup <new file>`,
		);
	}
}

/**
 * Adds what a backup holds to a database, which may be empty or in use. The file is only read.
 *
 * @throws Error with a sentence for the operator when the file is not a whole waitlist, or when
 *   nobody can tell who was erased since
 */
async function restore(
	operation: Operation,
	file: string,
	{ withoutProofs }: { withoutProofs: boolean },
): Promise<Copied> {
	const { settings } = operation;
	// In a copy, because opening brings a backup of an older version up to date. Beside the database:
	// there is room for it, and nobody else may read it.
	const beside = settings.database.kind === "sqlite" ? settings.database.file : file;
	return withPartialFile(beside, async (partial) => {
		await copyFile(file, partial);
		chmodSync(partial, 0o600);
		const backup = await openBackup(partial, file);
		try {
			await refuseUnlessWhole(backup);
			const proofs = await openProofsOfBoth(operation, backup, { file, withoutProofs });
			return await copy(backup, operation.database, { ...operation, ...proofs });
		} finally {
			await backup.close();
		}
	});
}

/** @throws Error with a sentence for the operator that names the backup, not its copy */
async function openBackup(copied: string, file: string): Promise<Database> {
	const settings = { kind: "sqlite", file: copied } as const;
	return openDatabase(settings, { create: false, alone: true }).catch(({ message }: Error) => {
		throw new Error(message.replace(copied, file));
	});
}

/**
 * Makes sure that whoever was erased does not come back, as far as the operator asks for it.
 *
 * @throws Error with a sentence for the operator when it cannot be told who was erased
 */
async function openProofsOfBoth(
	{ database, settings, places }: Operation,
	backup: Database,
	{ file, withoutProofs }: { file: string; withoutProofs: boolean },
): Promise<{ proofs: Proofs | undefined; sourceProofs: boolean }> {
	const emptied = await isEmptied(places.file, database, backup);
	const known = !emptied && (await knowsErasures(database, places));
	if (!known && !withoutProofs && !(await operatorAgrees(withoutProofsQuestion(places.file)))) {
		throw new Error(
			`Nothing was restored: ${describeDatabase(settings.database)} knows no erasure, and ` +
				`${places.file === undefined ? "WAITLIST_ERASURES names no file" : emptied ? `${places.file} is empty` : `there is no ${places.file}`}. ` +
				`Whoever was erased, or left, after ${file} was made would come back. Put the file of proofs there, ` +
				"or use --without-proofs if nobody was erased since, or to erase them again.",
		);
	}
	const fingerprint = await readFingerprint(backup.query);
	const adding = fingerprint !== undefined || (await hasErasures(backup.query));
	const key = await findKey(places);
	const foreign =
		adding && (!key || (fingerprint !== undefined && fingerprint !== key.fingerprint));
	if (foreign && key && !withoutProofs) throw keyDiffers(file);
	// With nothing to lose here, the proofs stay as they are for the day when their key is found.
	if (foreign && withoutProofs && !known) return { proofs: undefined, sourceProofs: true };
	const options = { adding, restoring: true, leavingOthers: withoutProofs };
	return { proofs: await openProofs(database, places, options), sourceProofs: !foreign };
}

/** Whether the file of proofs lost them: it has none, and neither has the database, but the backup has. */
async function isEmptied(
	file: string | undefined,
	database: Database,
	backup: Database,
): Promise<boolean> {
	if (file === undefined || !existsSync(file) || (await stat(file)).size > 0) return false;
	return (await hasErasures(backup.query)) && !(await hasErasures(database.query));
}

function withoutProofsQuestion(file: string | undefined): string {
	return (
		`No proof of erasure is known here${file ? `, and there is no ${file}` : ""}. Whoever was erased, ` +
		"or left, after the backup was made would come back. Restore all the same?"
	);
}
