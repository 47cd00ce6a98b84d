import { firstsOf, keysAsJson } from "../../database/dialect.ts";
import { lockNote, type Note, readNote, writeNote } from "../../database/notes.ts";
import { countRows, inPages, isAnyRow } from "../../database/rows.ts";
import { rowsIn, sql } from "../../database/sql.ts";
import { ask, type Query } from "../../database/statement.ts";
import type { Tx } from "../../database/transaction.ts";
import type { Key } from "../../secret.ts";
import type { Registration } from "../registrations.ts";
import { appendSuppressions, type Suppression, UNSUBSCRIBED } from "./suppression-file.ts";

/* The table `suppression`: who must not come back. Its file is the journal, which outlives the database. */

type Asked = Pick<Tx, "query" | "dialect">;

/** The fingerprint of the key. A transaction that writes to the file locks it. */
const KEY: Note<string> = { name: "key" };

/** The fingerprint of the key that a database belongs to; undefined before one was needed. */
export const readFingerprint = (query: Query) => readNote(query, KEY);

/** Notes the key that a database belongs to. */
export const noteKey = (query: Query, fingerprint: string | undefined) =>
	writeNote(query, KEY, fingerprint);

/** Lets one transaction at a time write to the list, until it ends. */
export const lockSuppressions = (query: Query) => lockNote(query, KEY);

/** Whether a database has no people, and nobody to keep out. */
export const isEmptyList = async (query: Query) =>
	!(await isAnyRow(query, "registration")) && !(await isAnyRow(query, "suppression"));

/** Counts people who were deleted, without those who unsubscribed. */
export const countDeleted = (query: Query) =>
	countRows(query, `suppression WHERE reason NOT LIKE '${UNSUBSCRIBED}%'`);

/** How many entries no key but a lost one recognizes. */
export const countForeign = (query: Query, fingerprint: string) =>
	countRows(query, "suppression WHERE key <> $1", [fingerprint]);

const PAGE_ROWS = 1000;

/** All entries, a page at a time. */
export const inOrderOfHash = (query: Query) =>
	inPages<Suppression>(PAGE_ROWS, (after) =>
		query(
			`SELECT hash, at, reason, key FROM suppression WHERE hash > $1 ORDER BY hash LIMIT ${PAGE_ROWS}`,
			[after?.hash ?? ""],
		),
	);

/** The entries of some hashes, in any order. */
export const suppressionsOf = ({ query, dialect }: Asked, hashes: Iterable<string>) =>
	query<Suppression>(
		`SELECT hash, at, reason, key FROM suppression WHERE hash IN ${firstsOf(dialect)}`,
		[keysAsJson(hashes)],
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
): Promise<(person: Pick<Registration, "key" | "createdAt">) => string | undefined> {
	const keys = new Map(registrations.map(({ key }) => [hashOf(key), key]));
	const found = await suppressionsOf(asked, keys.keys());
	const times = new Map(found.map(({ hash, at }) => [keys.get(hash)!, at]));
	return ({ key, createdAt }) => {
		const at = times.get(key);
		return at !== undefined && createdAt <= at ? at : undefined;
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
	await lockSuppressions(tx.query);
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
	return ask(
		tx.query,
		sql<Suppression>`INSERT INTO suppression (hash, at, reason, key)
			SELECT value->>0, value->>1, value->>2, value->>3 FROM ${rowsIn(tx, rows)} WHERE true
			ON CONFLICT (hash) DO UPDATE SET at = excluded.at, reason = excluded.reason, key = excluded.key
			WHERE excluded.at > suppression.at
			RETURNING hash, at, reason, key`,
	);
}
