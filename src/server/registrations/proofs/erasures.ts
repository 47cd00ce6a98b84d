import type { SharedDatabase } from "../../database/database.ts";
import { type Dialect, firstsOf, keysAsJson } from "../../database/dialect.ts";
import { lockNote, type Note, readNote, writeNote } from "../../database/notes.ts";
import { countRows, inPages, isAnyRow } from "../../database/rows.ts";
import type { Query } from "../../database/statement.ts";
import type { Tx } from "../../database/transaction.ts";
import type { ErasureKey } from "../../secret.ts";
import type { Registration } from "../registrations.ts";
import { appendErasures, type Erasure, REASONS_OF_LEAVING } from "./erasure-file.ts";

/** The file of proofs, as a transaction needs it. */
export interface ProofsFile {
	/** Undefined on PostgreSQL unless WAITLIST_ERASURES is set. */
	file: string | undefined;
	/** Of the key that the proofs are made with. */
	fingerprint: string;
}

/**
 * The proofs of a waitlist, with the key that reads them. They are kept in the database, where they
 * are looked up, and in a file outside it, which a lost database does not take along.
 */
export interface Proofs extends ProofsFile {
	erasureKey: ErasureKey;
}

/** The fingerprint of the key. Whoever writes proofs to the file locks it. */
const ERASURE_KEY: Note<string> = { name: "erasure key" };

/** SQL for whether a proof says that its person left, and not that they were erased. */
const isLeaving = (reason: string) =>
	`${reason} IN (${REASONS_OF_LEAVING.map((text) => `'${text}'`).join(", ")})`;

/** Whether a database holds a proof. */
export const hasErasures = (query: Query) => isAnyRow(query, "erasure");

/** How many proofs of erasure there are. One of a person who only left is none. */
export const countErasures = (query: Query) =>
	countRows(query, `erasure WHERE NOT ${isLeaving("reason")}`);

const PAGE_ROWS = 1000;

/** Reads the proofs in a database, a page at a time. */
export const inOrderOfCode = (query: Query) =>
	inPages<Erasure>(PAGE_ROWS, (after) =>
		query(
			`SELECT code, erased_at AS "erasedAt", reason FROM erasure
			WHERE (code, erased_at) > ($1, $2) ORDER BY code, erased_at LIMIT ${PAGE_ROWS}`,
			[after?.code ?? "", after?.erasedAt ?? ""],
		),
	);

/** The proofs that an address was erased, the oldest first. */
export function erasuresOf(query: Query, code: string): Promise<Omit<Erasure, "code">[]> {
	return query(
		'SELECT erased_at AS "erasedAt", reason FROM erasure WHERE code = $1 ORDER BY erased_at',
		[code],
	);
}

/** Later than every time. */
const EVER = "9999-12-31T23:59:59.999Z";

/** The latest proof of each of these codes until a time, in any order. */
export function latestProofs(
	query: Query,
	dialect: Dialect,
	codes: Iterable<string>,
	until = EVER,
): Promise<Pick<Erasure, "code" | "erasedAt">[]> {
	return query(
		`SELECT code, max(erased_at) AS "erasedAt" FROM erasure
		WHERE code IN ${firstsOf(dialect)} AND erased_at <= $2 GROUP BY code`,
		[keysAsJson(codes), until],
	);
}

/** When the person of a registration was erased after they joined, if they were. */
export type ErasedAt = (
	registration: Pick<Registration, "key" | "createdAt">,
) => Erasure["erasedAt"] | undefined;

/**
 * Recognizes who was erased among these registrations.
 *
 * @param until proofs that are later do not count
 */
export async function findErased(
	{ query, dialect }: Pick<SharedDatabase, "query" | "dialect">,
	proofs: Proofs | undefined,
	registrations: readonly Pick<Registration, "key">[],
	until = EVER,
): Promise<ErasedAt> {
	if (!proofs) return () => undefined;
	const keys = new Map<string, string>();
	for (const { key } of registrations) keys.set(proofs.erasureKey.codeOf(key), key);
	const latest = await latestProofs(query, dialect, keys.keys(), until);
	const times = new Map(latest.map(({ code, erasedAt }) => [keys.get(code)!, erasedAt]));
	return ({ key, createdAt }) => {
		const erasedAt = times.get(key);
		return erasedAt !== undefined && createdAt <= erasedAt ? erasedAt : undefined;
	};
}

/**
 * Keeps proofs in a transaction of the database. One that is kept is not kept twice. The file comes
 * before the commit: after a crash it may hold the proof of an erasure that did not happen, but never
 * lacks one that did.
 */
export async function keepProofs(
	tx: Pick<Tx, "query" | "dialect">,
	proofs: ProofsFile | undefined,
	erasures: readonly Erasure[],
): Promise<void> {
	await lockProofs(tx.query, proofs);
	const added = await insertErasures(tx, erasures);
	if (proofs?.file !== undefined) await appendErasures(proofs.file, added, proofs.fingerprint);
}

/** Lets one transaction at a time write to the file, until it ends. */
export async function lockProofs(query: Query, proofs: ProofsFile | undefined): Promise<void> {
	if (proofs?.file !== undefined) await lockNote(query, ERASURE_KEY);
}

/**
 * Adds proofs to a database, and gives those that were not there. A person who leaves again and again
 * has one proof, the latest: it says all that the earlier ones said.
 */
export async function insertErasures(
	{ query, dialect }: Pick<Tx, "query" | "dialect">,
	erasures: readonly Erasure[],
): Promise<Erasure[]> {
	const rows = JSON.stringify(
		erasures.map(({ code, erasedAt, reason }) => [code, erasedAt, reason]),
	);
	const added = await query<Erasure>(
		`INSERT INTO erasure (code, erased_at, reason)
		SELECT value->>0, value->>1, value->>2 FROM ${dialect.jsonRows}
		WHERE NOT ${isLeaving("value->>2")} OR NOT EXISTS (
			SELECT 1 FROM erasure WHERE code = value->>0 AND erased_at > value->>1
		)
		ON CONFLICT (code, erased_at) DO NOTHING
		RETURNING code, erased_at AS "erasedAt", reason`,
		[rows],
	);
	if (added.some(({ reason }) => REASONS_OF_LEAVING.includes(reason))) {
		await query(
			`DELETE FROM erasure WHERE ${isLeaving("reason")}
				AND code IN ${firstsOf(dialect)} AND EXISTS (
					SELECT 1 FROM erasure AS later
					WHERE later.code = erasure.code AND later.erased_at > erasure.erased_at
				)`,
			[rows],
		);
	}
	return added;
}

/** The fingerprint of the key that the proofs in a database are made with, if it is known. */
export const readFingerprint = (query: Query) => readNote(query, ERASURE_KEY);

/**
 * Notes in a database which key its proofs are made with.
 */
export async function keepFingerprint(query: Query, fingerprint: string): Promise<void> {
	await writeNote(query, ERASURE_KEY, fingerprint);
}
