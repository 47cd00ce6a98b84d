import { chmodSync, existsSync } from "node:fs";
import { copyFile, open, rm, stat } from "node:fs/promises";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import { refuseUnlessTables } from "../database/sqlite/connection.ts";
import type { Query } from "../database/statement.ts";
import { withPartialFile } from "../files/partial-file.ts";
import {
	addGap,
	findGap,
	type Gap,
	latestTrace,
	readGap,
	replaceGap,
} from "../mail/emails/gaps.ts";
import { countAssumed, countHeld } from "../mail/emails/letter-counts.ts";
import { hasLetters } from "../mail/emails/letters.ts";
import { Refusal } from "../refusal.ts";
import type { Operation } from "../registrations/operation.ts";
import { hasErasuresAfter } from "../registrations/proofs/erasures.ts";
import { hasRecipients } from "../registrations/recipients.ts";
import type { Registration } from "../registrations/registrations.ts";
import { latestCredible } from "../time.ts";
import { refuseUnlessWhole } from "./backup.ts";
import { hasOwnChecksum } from "./checksum.ts";
import { type Copied, copy, type FutureErasures } from "./copy.ts";
import { lineReader } from "./import-lines.ts";
import { openProofsForRestore } from "./proofs-of-both.ts";
import { asText } from "./sums.ts";

/** What every SQLite file starts with (sqlite.org/fileformat.html, section 1.3). */
const MAGIC = "SQLite format 3\0";

/**
 * @throws Error with a sentence for the operator when the file cannot be a backup, or when it is a
 *   database in use, whose latest rows are in its journal
 */
export async function refuseUnlessDatabase(file: string): Promise<void> {
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

/** How a backup is restored. */
export interface Restoring {
	/** Whether to go on where proofs of erasure are lost, or their key. */
	withoutProofs: boolean;
	/** Whether no letter went out after the backup was made. */
	nothingSentSince: boolean;
	futureErasures: FutureErasures | undefined;
	/** Whether the database is an SQLite file made for this restore. */
	isNew: boolean;
	/** Asks the operator a question that only they can answer. */
	agrees: (question: string) => Promise<boolean>;
}

/** The result of a restore. */
export interface Restored extends Copied {
	/** Letters that may have gone out since this backup or another one. */
	unknown: number;
	/** Letters that wait until the operator lets them go. */
	held: number;
	/** Absent where everything is known. */
	gap?: Gap;
	/** Rows that no import would take, and why; absent where there is none. */
	refused?: { email: unknown; error: string }[];
}

/**
 * Adds what a backup holds to a database, which may be empty or in use. The file is only read.
 *
 * @throws Error with a sentence for the operator when the file is not a whole waitlist, or when
 *   nobody can tell who was erased since
 */
export async function restore(
	operation: Operation,
	file: string,
	options: Restoring,
): Promise<Restored> {
	const { database, places } = operation;
	const hadProofs = places.file !== undefined && existsSync(places.file);
	try {
		return await restoreInto(operation, file, options);
	} catch (error) {
		if (options.isNew) await removeMade(database, hadProofs ? undefined : places.file);
		throw error;
	}
}

async function restoreInto(
	operation: Operation,
	file: string,
	{ withoutProofs, nothingSentSince, futureErasures, agrees }: Restoring,
): Promise<Restored> {
	const { settings, database } = operation;
	// Opens a copy, because opening brings a backup of an older version up to date. The copy lies
	// beside the database, where there is room for it and nobody else may read it.
	const beside = settings.database.kind === "sqlite" ? settings.database.file : file;
	return withPartialFile(beside, async (partial) => {
		await copyFile(file, partial);
		chmodSync(partial, 0o600);
		await refuseUnlessSame(partial, file);
		const backup = await openBackup(partial, file);
		try {
			await refuseUnlessWhole(backup);
			const proofs = await openProofsForRestore(operation, backup, { file, withoutProofs, agrees });
			if (futureErasures === undefined) {
				await refuseFutureErasures([database.query, backup.query], operation.now);
			}
			const unsent = nothingSentSince ? "held" : "unknown";
			const [before, own] = [await readGap(database.query), await readGap(backup.query)];
			if (!nothingSentSince) await addGapSince(operation, backup);
			const { accepts, refused } = ruleOfImport();
			const copied = await copy(backup, database, {
				...operation,
				...proofs,
				futureErasures,
				unsent,
				accepts,
			});
			if (nothingSentSince) {
				// Settles the gap that older backups left, because this is the latest state of the lost
				// database. Its own gap stays.
				const settled = before && { ...before, settled: operation.now.toISOString() };
				await database.transact(replaceGap, [settled, own]);
			} else if (copied.added + copied.addedLetters === 0) {
				// All of it was here: this database knows what it sent.
				await database.transact(replaceGap, [before, own]);
			}
			const unsettled = await findGap(database.query);
			const unknown = await countAssumed(database.query);
			const { byOperator: held } = await countHeld(database.query);
			return {
				...copied,
				unknown,
				held,
				...(unsettled ? { gap: unsettled } : {}),
				...(refused.size > 0 ? { refused: [...refused.values()] } : {}),
			};
		} finally {
			await backup.close();
		}
	});
}

/** @throws Refusal where only the operator knows whether people asked to be erased, or a wrong clock did it */
async function refuseFutureErasures(sides: readonly Query[], now: Date): Promise<void> {
	const latest = latestCredible(now);
	for (const query of sides) {
		if (!(await hasErasuresAfter(query, latest))) continue;
		throw new Refusal(
			`Nothing was restored: people are on the suppression list since a time after ${now.toISOString()}. ` +
				"A clock was wrong then, or is now. Use --future-erasures out if they asked to be erased, and " +
				"--future-erasures back if only a wrong clock erased them.",
		);
	}
}

/**
 * Notes that letters sent after the backup are unknown. It comes before any row of the backup, so
 * that an interrupted restore leaves no row without it. A list that never had letters has no gap.
 */
async function addGapSince(
	{ database, settings, now }: Operation,
	backup: Database,
): Promise<void> {
	const { query } = backup;
	const isWrittenTo = settings.mail || (await hasRecipients(query)) || (await hasLetters(query));
	if (!isWrittenTo) return;
	const until = now.toISOString();
	// A time in the future was written by a wrong clock.
	const [from] = [await latestTrace(query), until].sort() as [string, string];
	await database.transact(addGap, { from, until });
}

/** A wrong clock wrote later times than now: those people stay, and `check --mend` mends them. */
const LATEST = new Date("9999-12-31");

/** Accepts the rows that an import would store as they are, and collects the others by their keys. */
function ruleOfImport() {
	const refused = new Map<unknown, NonNullable<Restored["refused"]>[number]>();
	const read = lineReader({ source: "", terms: "", createdAt: "" }, LATEST);
	function accepts(row: Registration): boolean {
		const found = read({ line: 0, fields: { ...row } });
		const isSame = "registration" in found && asText(found.registration) === asText(row);
		if (isSame) return true;
		const error = "error" in found ? found.error : "An import would store it otherwise.";
		refused.set(row.key, { email: row.email, error });
		return false;
	}
	return { accepts, refused };
}

/** @throws Error with a sentence for the operator when the file changed after `backup` wrote it */
async function refuseUnlessSame(copied: string, file: string): Promise<void> {
	if (await hasOwnChecksum(copied)) return;
	throw new Error(
		`${file} is damaged: its checksum is not the one that \`waitlist backup\` wrote. If it was a ` +
			`database in use since, restore a new backup of it: DATABASE_URL=file:${file} waitlist backup <new file>`,
	);
}

/** @throws Error with a sentence for the operator that names the backup, not its copy */
async function openBackup(copied: string, file: string): Promise<Database> {
	try {
		refuseUnlessTables(copied);
		return await openDatabase({ kind: "sqlite", file: copied }, { create: false, alone: true });
	} catch (error) {
		throw new Error((error as Error).message.replace(copied, file));
	}
}

/** Removes the new database of a failed restore, unless a server has opened it meanwhile. */
async function removeMade({ query, place }: Database, proofs: string | undefined): Promise<void> {
	// Fails while anybody else has it open.
	const isAlone = await query("PRAGMA journal_mode = DELETE").then(
		() => true,
		() => false,
	);
	if (!isAlone) return;
	await rm(place);
	if (proofs !== undefined) await rm(proofs, { force: true });
}
