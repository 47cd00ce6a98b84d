import { open, rename } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Database } from "../database/database.ts";
import { ask } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import { withoutIndexes } from "../database/sqlite/catalogue.ts";
import { reasonOf, refuseTaken } from "../files/files.ts";
import { removeLeftPartialFiles, withPartialFile } from "../files/partial-file.ts";
import { syncFolder } from "../files/private-file.ts";
import { countLetters } from "../letters/table/letter-counts.ts";
import { hasLetters, lettersOf } from "../letters/table/letters.ts";
import { readWaves } from "../letters/wave/waves.ts";
import type { Operation } from "../waitlist/operation.ts";
import { hasRecipients, recipientsOf } from "../waitlist/recipients.ts";
import { inOrderOfFile } from "../waitlist/registrations.ts";
import { copyRows } from "./copy.ts";
import { noteBackup } from "./last-backup.ts";
import { asText, createSums, type Side, type Sums, sumLetters, sumWaves } from "./sums.ts";

/**
 * Writes the waitlist as it is at this moment into one SQLite file, whichever database it comes
 * from, and reads it back. The file gets its name only after all of that has succeeded.
 *
 * @throws Error with a sentence for the operator when the file cannot be made or differs
 */
export async function backUp(operation: BackingUp, file: string): Promise<MadeBackup> {
	const { settings } = operation;
	refuseTaken(file);
	// An interrupted restore leaves its copy there.
	if (settings.database.kind === "sqlite") {
		await removeLeftPartialFiles(dirname(settings.database.file));
	}
	const side = await withPartialFile(file, async (partial) => {
		const copied = await copyInto(operation, partial);
		await sync(partial);
		const found = createSums();
		const side = await readBack(operation, partial, { found, withLetters: copied !== undefined });
		if (copied) refuseUnlessSame(copied, found, operation.database.place);
		await rename(partial, file);
		await syncFolder(dirname(file));
		return side;
	});
	// Makes the backup also where the waitlist cannot be written, because a damaged one needs it
	// most.
	const made = { madeAt: operation.now.toISOString(), file: resolve(file) };
	const unnoted = await noteBackup(operation.database, made).then(() => undefined, reasonOf);
	return { ...side, ...(unnoted === undefined ? {} : { unnoted }) };
}

/**
 * Copies everything into a new file.
 *
 * @returns what was read of the source; undefined where the two were compared already
 */
async function copyInto(operation: BackingUp, file: string): Promise<Sums | undefined> {
	const { database } = operation;
	const backup = await openDatabase({ kind: "sqlite", file }, { create: true, alone: true });
	try {
		if (database.copyInto) {
			await database.copyInto(file);
			return undefined;
		}
		const sums = createSums();
		await withoutIndexes(backup.query, () =>
			database.snapshot(async (query) => {
				// The proofs are copied as they are, so that this needs no key.
				const options = { ...operation, proofs: undefined, unsent: "as they are", sums } as const;
				await copyRows(query, database, backup, options);
			}),
		);
		return sums;
	} finally {
		await backup.close();
	}
}

/** @throws Error with a sentence for the operator */
function refuseUnlessSame(copied: Sums, found: Sums, place: string): void {
	for (const kind of ["registrations", "letters"] as const) {
		const [ours, theirs] = [copied[kind].side(), found[kind].side()];
		if (ours.rows === theirs.rows && ours.hash === theirs.hash) continue;
		throw new Error(
			`The backup differs from ${place}: ${theirs.rows} rows instead of ${ours.rows}, or others.`,
		);
	}
}

type BackingUp = Pick<Operation, "database" | "settings" | "now" | "progress">;

/** What was read back of a backup. */
export interface MadeBackup extends ReadBack {
	/** Why the waitlist does not know of this backup, if it does not. */
	unnoted?: string;
}

/** What stands in a backup. */
interface ReadBack extends Side {
	letters: number;
}

/**
 * Reads the file as a restore will: by a new connection, with every index.
 *
 * @param found adds up what is read: registrations, and letters if they are asked for
 */
async function readBack(
	{ progress }: BackingUp,
	file: string,
	{ found, withLetters }: { found: Sums; withLetters: boolean },
): Promise<ReadBack> {
	const backup = await openDatabase({ kind: "sqlite", file }, { create: false, alone: true });
	try {
		await refuseUnlessWhole(backup);
		const { query, dialect } = backup;
		if (withLetters) sumWaves(found, await readWaves(query));
		const hasAny = withLetters && ((await hasRecipients(query)) || (await hasLetters(query)));
		for (let after = 0; ; ) {
			const page = await ask(query, inOrderOfFile(after));
			if (page.length === 0) {
				return { ...found.registrations.side(), letters: await countLetters(query) };
			}
			for (const row of page) found.registrations.add(asText(row));
			if (hasAny) {
				const keys = page.map(({ key }) => key);
				const recipients = await recipientsOf(query, dialect, keys);
				sumLetters(found, { recipients, letters: await lettersOf(query, dialect, keys) });
			}
			progress.show("verified", found.registrations.rows, 0);
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
