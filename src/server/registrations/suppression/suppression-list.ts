import { lockNote, type Note, readNote, writeNote } from "../../database/notes.ts";
import { countRows, inPages, isAnyRow } from "../../database/rows.ts";
import { keysIn, raw, rowsIn, sql } from "../../database/sql.ts";
import type { Tx } from "../../database/transaction.ts";
import type { Key } from "../../secret.ts";
import type { Registration } from "../registrations.ts";
import { appendSuppressions, type Suppression, UNSUBSCRIBED } from "./suppression-file.ts";

/* The table `suppression`: who must not come back. Its file is the journal, which outlives the database. */

type Asked = Tx;

/** The fingerprint of the key. A transaction that writes to the file locks it. */
const KEY: Note<string> = { name: "key" };

/** The fingerprint of the key that a database belongs to; undefined before one was needed. */
export const readFingerprint = (tx: Tx) => readNote(tx, KEY);

/** Notes the key that a database belongs to. */
export const noteKey = (tx: Tx, fingerprint: string | undefined) => writeNote(tx, KEY, fingerprint);

/** Lets one transaction at a time write to the list, until it ends. */
export const lockSuppressions = (tx: Tx) => lockNote(tx, KEY);

/** Whether a database has no people, and nobody to keep out. */
export const isEmptyList = async (tx: Tx) =>
	!(await isAnyRow(tx, sql`registration`)) && !(await isAnyRow(tx, sql`suppression`));

/** Counts people who were deleted, without those who unsubscribed. */
export const countDeleted = (tx: Tx) =>
	countRows(tx, sql`suppression WHERE reason NOT LIKE '${raw(UNSUBSCRIBED)}%'`);

/** How many entries no key but a lost one recognizes. */
export const countForeign = (tx: Tx, fingerprint: string) =>
	countRows(tx, sql`suppression WHERE key <> ${fingerprint}`);

const PAGE_ROWS = 1000;

/** All entries, a page at a time. */
export const inOrderOfHash = (tx: Tx) =>
	inPages<Suppression>(PAGE_ROWS, (after) =>
		tx.all(
			sql`SELECT hash, at, reason, key FROM suppression WHERE hash > ${after?.hash ?? ""} ORDER BY hash LIMIT ${PAGE_ROWS}`,
		),
	);

/** The entries of some hashes, in any order. */
export const suppressionsOf = (tx: Tx, hashes: Iterable<string>) =>
	tx.all(
		sql<Suppression>`SELECT hash, at, reason, key FROM suppression WHERE hash IN ${keysIn(hashes)}`,
	);

/**
 * Recognizes who was deleted after they joined.
 *
 * @returns when somebody was, or undefined
 */
export async function findDeleted(
	asked: Asked,
	{ hashOf }: Key,
	registrations: readonly Pick<Registration, "key">[],
): Promise<(person: Pick<Registration, "key" | "joinedAt">) => string | undefined> {
	const keys = new Map(registrations.map(({ key }) => [hashOf(key), key]));
	const found = await suppressionsOf(asked, keys.keys());
	const times = new Map(found.map(({ hash, at }) => [keys.get(hash)!, at]));
	return ({ key, joinedAt }) => {
		const at = times.get(key);
		return at !== undefined && joinedAt <= at ? at : undefined;
	};
}

/**
 * Puts people on the list, in a transaction. The file comes before the commit: after a crash it may hold an
 * entry of somebody who was not deleted, but it lacks nobody who was.
 */
export async function suppress(
	tx: Tx,
	file: string,
	entries: readonly Suppression[],
): Promise<void> {
	await lockSuppressions(tx);
	await appendSuppressions(file, await addSuppressions(tx, entries));
}

/** Adds entries, the latest one of each hash, and gives those that are new. */
export async function addSuppressions(
	tx: Asked,
	entries: readonly Suppression[],
): Promise<Suppression[]> {
	const latest = new Map<string, Suppression>();
	for (const entry of entries) {
		if (entry.at > (latest.get(entry.hash)?.at ?? "")) latest.set(entry.hash, entry);
	}
	const rows = [...latest.values()].map(({ hash, at, reason, key }) => [hash, at, reason, key]);
	return tx.all(sql<Suppression>`INSERT INTO suppression (hash, at, reason, key)
			SELECT value->>0, value->>1, value->>2, value->>3 FROM ${rowsIn(rows)} WHERE true
			ON CONFLICT (hash) DO UPDATE SET at = excluded.at, reason = excluded.reason, key = excluded.key
			WHERE excluded.at > suppression.at
			RETURNING hash, at, reason, key`);
}
