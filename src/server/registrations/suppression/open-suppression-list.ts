import { existsSync, statSync } from "node:fs";
import type { SharedDatabase } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { Tx } from "../../database/transaction.ts";
import { Refusal } from "../../refusal.ts";
import { findKey, type Key, makeKey, type SecretPlaces, wrongKey } from "../../secret.ts";
import {
	createSuppressionFile,
	lastSuppression,
	readSuppressionFile,
	type Suppression,
} from "./suppression-file.ts";
import {
	addSuppressions,
	inOrderOfHash,
	isEmptyList,
	noteKey,
	readFingerprint,
} from "./suppression-list.ts";

/** The suppression list, open to write. */
export interface SuppressionList {
	key: Key;
	file: string;
}

/**
 * Finds the key that a database belongs to. A database without people takes any.
 *
 * @returns undefined where none was needed yet
 * @throws Refusal with a sentence for the founder when it is missing, or another one
 */
export async function findKeyOf(tx: Tx, places: SecretPlaces): Promise<Key | undefined> {
	const key = await findKey(places);
	const noted = await readFingerprint(tx);
	if (noted === undefined || noted === key?.fingerprint || (await isEmptyList(tx))) return key;
	throw wrongKey(noted, key, places);
}

/** Opens the key to recognize people and codes, and makes the first one. */
export async function openKey(tx: Tx, places: SecretPlaces): Promise<Key> {
	const key = await findKeyOf(tx, places);
	if (key) return key;
	const { keyFile, file } = places;
	if (keyFile === undefined) {
		throw noPlace("WAITLIST_SECRET", "a secret (openssl rand -hex 32 makes one)");
	}
	if (file !== undefined && (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0) {
		throw wrongKey(`that made ${file}`, undefined, places);
	}
	return makeKey(keyFile);
}

/**
 * Opens the list to write, to delete people or to send links that do so. A database that
 * lacks what the file has gets it.
 */
export async function openSuppressionList(
	database: SharedDatabase,
	places: SecretPlaces,
): Promise<SuppressionList> {
	const { file } = places;
	if (file === undefined) throw noPlace("WAITLIST_SUPPRESSION_FILE", "the path of a file");
	const key = await openKey(database, places);
	if ((await readFingerprint(database)) !== key.fingerprint)
		await noteKey(database, key.fingerprint);
	if (existsSync(file)) {
		await readMissing(file, database, (page) => database.transact(addSuppressions, page));
	} else {
		await createSuppressionFile(file, inOrderOfHash(database));
	}
	return { key, file };
}

/** Reads the file if the database lacks its last entry: it is a copy, or was restored. */
export async function readMissing(
	file: string,
	tx: Tx,
	add: (page: Suppression[]) => Promise<unknown>,
): Promise<void> {
	const last = await lastSuppression(file);
	const [known] = await tx.all(
		sql<{ at: string }>`SELECT at FROM suppression WHERE hash = ${last?.hash ?? ""}`,
	);
	// Without an entry at its end, the file is empty or damaged, and reading it says which.
	if (last && known && known.at >= last.at) return;
	for await (const page of readSuppressionFile(file)) await add(page);
}

const noPlace = (setting: string, value: string) =>
	new Refusal(
		`Set ${setting} to ${value}, the same for every server and command, and keep it: with key and file ` +
			"a deleted address is recognized, so that an old backup cannot bring it back.",
	);
