import { existsSync } from "node:fs";
import type { CheckResult, SharedDatabase } from "../../database/database.ts";
import { lockNote, type Note, readNote, writeNote } from "../../database/notes.ts";
import {
	countRows,
	hasRow,
	keysSql,
	raw,
	readInPages,
	rowsSql,
	sql,
	type Tx,
} from "../../database/sql.ts";
import { failureReason, fileSizeOf } from "../../files/files.ts";
import { Refusal } from "../../refusal.ts";
import {
	createKeyFile,
	findKey,
	type SecretKey,
	type SecretLocations,
	wrongKeyRefusal,
} from "../../secret.ts";
import type { Registration } from "../registrations.ts";
import {
	appendSuppressions,
	createSuppressionFile,
	readLastSuppression,
	readSuppressionFile,
	type Suppression,
	UNSUBSCRIBED_PREFIX,
} from "./suppression-file.ts";

/* The table `suppression` lists deleted and unsubscribed people. Its copy in a file outlives the database. */

export interface SuppressionList {
	key: SecretKey;
	file: string;
}

/** Fingerprint of the suppression key, stored when the key is first used. */
const KEY: Note<string> = { name: "key" };

export const saveKeyFingerprint = (tx: Tx, fingerprint: string | undefined) =>
	writeNote(tx, KEY, fingerprint);

export const lockSuppressions = (tx: Tx) => lockNote(tx, KEY);

export const isAnySuppressed = (tx: Tx) => hasRow(tx, sql`suppression`);

export const isSuppressionListEmpty = async (tx: Tx) =>
	!(await hasRow(tx, sql`registration`)) && !(await isAnySuppressed(tx));

/** Entries without the prefix are deleted people. */
const DELETED = sql`suppression WHERE reason NOT LIKE '${raw(UNSUBSCRIBED_PREFIX)}%'`;

export const countDeletedPeople = (tx: Tx) => countRows(tx, DELETED);

export const findSuppressions = (tx: Tx, hashes: Iterable<string>) =>
	tx.all(sql<Suppression>`SELECT hash, at, reason, key FROM suppression
		WHERE hash IN ${keysSql(hashes)}`);

/** Returns a lookup for the time of a person's deletion. It returns undefined if they joined after that. */
export async function findDeletions(
	tx: Tx,
	{ hashOf }: SecretKey,
	registrations: readonly Pick<Registration, "key">[],
): Promise<(person: Pick<Registration, "key" | "joinedAt">) => string | undefined> {
	const keys = new Map(registrations.map(({ key }) => [hashOf(key), key]));
	const found = await findSuppressions(tx, keys.keys());
	const times = new Map(found.map(({ hash, at }) => [keys.get(hash)!, at]));
	return ({ key, joinedAt }) => {
		const at = times.get(key);
		return at === undefined || at < joinedAt ? undefined : at;
	};
}

/** Writes the file before the commit, so that a crash loses no entry. */
export async function suppressPeople(
	tx: Tx,
	file: string,
	entries: readonly Suppression[],
): Promise<void> {
	await lockSuppressions(tx);
	await appendSuppressions(file, await addSuppressions(tx, entries));
}

/** Adds the latest entry for each hash, and returns new or changed ones. */
export async function addSuppressions(
	tx: Tx,
	entries: readonly Suppression[],
): Promise<Suppression[]> {
	const latest = new Map<string, Suppression>();
	for (const entry of entries) {
		if (entry.at > (latest.get(entry.hash)?.at ?? "")) latest.set(entry.hash, entry);
	}
	const rows = [...latest.values()].map(({ hash, at, reason, key }) => [hash, at, reason, key]);
	return tx.all(sql<Suppression>`INSERT INTO suppression (hash, at, reason, key)
			SELECT value->>0, value->>1, value->>2, value->>3 FROM ${rowsSql(rows)} WHERE true
			ON CONFLICT (hash) DO UPDATE SET at = excluded.at, reason = excluded.reason, key = excluded.key
			WHERE excluded.at > suppression.at
			RETURNING hash, at, reason, key`);
}

/** Returns the key if it exists. @throws Refusal if the list was made with another key */
export async function findListKey(tx: Tx, places: SecretLocations): Promise<SecretKey | undefined> {
	const key = await findKey(places);
	const noted = await readNote(tx, KEY);
	if (noted === undefined || noted === key?.fingerprint || (await isSuppressionListEmpty(tx)))
		return key;
	throw wrongKeyRefusal(`This list belongs to the key with the fingerprint ${noted}`, key, places);
}

export async function findOrCreateKey(tx: Tx, places: SecretLocations): Promise<SecretKey> {
	const key = await findListKey(tx, places);
	if (key) return key;
	const { keyFile, file } = places;
	if (keyFile === undefined) {
		throw noPlace("WAITLIST_SECRET", "a secret (openssl rand -hex 32 makes one)");
	}
	if (file !== undefined && fileSizeOf(file) > 0) {
		throw wrongKeyRefusal(`${file} was made with a key`, undefined, places);
	}
	return createKeyFile(keyFile);
}

/** Opens the list for writing. Copies missing entries from the file, or creates the file. */
export async function openSuppressionList(
	database: SharedDatabase,
	places: SecretLocations,
): Promise<SuppressionList> {
	const { file } = places;
	if (file === undefined) throw noPlace("WAITLIST_SUPPRESSION_FILE", "the path of a file");
	const key = await findOrCreateKey(database, places);
	if ((await readNote(database, KEY)) !== key.fingerprint)
		await saveKeyFingerprint(database, key.fingerprint);
	if (existsSync(file)) {
		await readMissingSuppressions(file, database, (page) =>
			database.transact(addSuppressions, page),
		);
	} else {
		const inOrder = readInPages<Suppression>(1000, (after) =>
			database.all(sql`SELECT hash, at, reason, key FROM suppression
				WHERE hash > ${after?.hash ?? ""} ORDER BY hash LIMIT 1000`),
		);
		await createSuppressionFile(file, inOrder);
	}
	return { key, file };
}

/** Reads the file if the database lacks the file's last entry, as after a restore. */
export async function readMissingSuppressions(
	file: string,
	tx: Tx,
	add: (page: Suppression[]) => Promise<unknown>,
): Promise<void> {
	const last = await readLastSuppression(file);
	const [known] = await findSuppressions(tx, [last?.hash ?? ""]);
	// No last entry means an empty or damaged file: reading on throws if it is damaged.
	if (last && known && known.at >= last.at) return;
	for await (const page of readSuppressionFile(file)) await add(page);
}

const noPlace = (setting: string, value: string) =>
	new Refusal(
		`Set ${setting} to ${value}, the same for every server and command, and keep it safe: the key and ` +
			"the suppression file recognize deleted addresses, so that an old backup cannot bring them back.",
	);

export async function checkSuppressionList(
	tx: Tx,
	places: SecretLocations,
): Promise<CheckResult[]> {
	const { keyFile, file } = places;
	const key = await findListKey(tx, places).catch(failureReason);
	const isMissing = (await readNote(tx, KEY)) !== undefined && !existsSync(file ?? "");
	const noKey = keyFile ? "created when needed" : "WAITLIST_SECRET is not set";
	const noFile = file
		? `${file} is missing: put it back, or start the server to create it again`
		: "WAITLIST_SUPPRESSION_FILE is not set";
	const isKeyFine = key === undefined ? keyFile !== undefined : typeof key === "object";
	const foundKey = (typeof key === "object" ? `fingerprint ${key.fingerprint}` : key) ?? noKey;
	const foundFile = isMissing ? noFile : (file ?? noFile);
	return [
		{ name: "key", ok: isKeyFine, found: foundKey },
		{ name: "suppression file", ok: foundFile === file, found: foundFile },
	];
}
