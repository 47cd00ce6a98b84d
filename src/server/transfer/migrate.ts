import { link, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { clearTables, copyTables } from "../database/copy-tables.ts";
import { openDatabase } from "../database/open-database.ts";
import type { Tx } from "../database/sql.ts";
import { fileSizeOf, syncPath, withPartialFile } from "../files/files.ts";
import type { Operation } from "../registrations/operation.ts";
import { isSuppressionListEmpty } from "../registrations/suppression/suppression-list.ts";
import { findKey, locateSecrets, saveKey } from "../secret.ts";
import type { DatabaseSettings } from "../settings/values.ts";

/** `replaced` is the new name of the previous SQLite file. */
type Filled<Result> = Promise<Result & { replaced: string | undefined }>;

export async function migrate(
	{ database, settings, places, now }: Operation,
	target: DatabaseSettings,
) {
	const theirs = locateSecrets(settings, target);
	const [key, other] = [await findKey(places), await findKey(theirs)];
	if (key && other && key.fingerprint !== other.fingerprint) {
		throw new Error(`${theirs.keyFile} is another list's key: move it away, and run this again.`);
	}
	const filled = await database.exclusive((from) =>
		fillDatabase(target, now, async (to) => ({ rows: await copyTables(from, to) })),
	);
	if (key && theirs.keyFile !== undefined) await saveKey(theirs.keyFile, key.secret);
	return filled;
}

/** Fills an empty database completely or not at all. An existing SQLite file is renamed and replaced. */
export async function fillDatabase<Result>(
	settings: DatabaseSettings,
	now: Date,
	fill: (tx: Tx) => Promise<Result>,
): Filled<Result> {
	if (settings.kind === "sqlite") return fillFile(settings.file, now, fill);
	const database = await openDatabase(settings, { create: true });
	try {
		if (!(await isSuppressionListEmpty(database))) {
			throw new Error(
				`${database.place} is not empty: create a new database, set its URL, and run this again.`,
			);
		}
		const filled = await database.exclusive(async (tx) => {
			await clearTables(tx);
			return fill(tx);
		});
		return { ...filled, replaced: undefined };
	} finally {
		await database.close();
	}
}

async function fillFile<Result>(
	file: string,
	now: Date,
	fill: (tx: Tx) => Promise<Result>,
): Filled<Result> {
	// A missing or empty file needs no copy.
	if (fileSizeOf(file) === 0) return { ...(await replaceFile(file, fill)), replaced: undefined };
	const replaced = `${file}.replaced-${now.toISOString().replaceAll(":", "-")}`;
	const old = await openDatabase({ kind: "sqlite", file }, { create: false }).catch((error) => {
		throw new Error(
			`${error.message} Move it and its journals (${file}-wal, ${file}-shm) away, and run this again.`,
		);
	});
	try {
		// Exclusive access moves the journal into the file and keeps servers out.
		return { ...(await old.exclusive(() => replaceFile(file, fill, replaced))), replaced };
	} finally {
		await old.close();
	}
}

async function replaceFile<Result>(
	file: string,
	fill: (tx: Tx) => Promise<Result>,
	replaced?: string,
): Promise<Result> {
	return withPartialFile(file, async (partial) => {
		const options = { create: true, alone: true };
		const fresh = await openDatabase({ kind: "sqlite", file: partial }, options);
		let result: Result;
		try {
			result = await fresh.transact(fill, undefined);
			await fresh.exclusive(async () => {});
		} finally {
			await fresh.close();
		}
		await syncPath(partial);
		if (replaced) await link(file, replaced);
		await rename(partial, file);
		await syncPath(dirname(file));
		return result;
	});
}
