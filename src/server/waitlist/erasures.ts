import type { Database, Query } from "../database/database.ts";
import { keysAsJson } from "../database/dialect.ts";
import type { ErasureKey } from "../secret.ts";
import { appendErasures, type Erasure, LEFT } from "./erasure-file.ts";
import { type Registration, unfoldedKeyOf } from "./registrations.ts";

/**
 * The proofs of a waitlist, with the key that reads them. They are kept in the database, where they
 * are looked up, and in a file outside it, which a lost database does not take along.
 */
export interface Proofs {
	erasureKey: ErasureKey;
	/** Absent on a PostgreSQL for which no setting names one. */
	file: string | undefined;
}

/** Whether a database holds a proof. */
export async function hasErasures(query: Query): Promise<boolean> {
	return (await query("SELECT 1 AS one FROM erasure LIMIT 1")).length > 0;
}

/** How many proofs of erasure there are. One of a person who only left is none. */
export async function countErasures(query: Query): Promise<number> {
	const [row] = await query<{ erased: number }>(
		"SELECT CAST(count(*) AS INTEGER) AS erased FROM erasure WHERE reason <> $1",
		[LEFT],
	);
	return row!.erased;
}

/** Reads the proofs in a database, a page at a time. */
export async function* inOrderOfCode(query: Query): AsyncGenerator<Erasure[]> {
	let after = { code: "", erasedAt: "" };
	for (;;) {
		const page = await query<Erasure>(
			`SELECT code, erased_at AS "erasedAt", reason FROM erasure
			WHERE (code, erased_at) > ($1, $2) ORDER BY code, erased_at LIMIT 1000`,
			[after.code, after.erasedAt],
		);
		if (page.length === 0) return;
		yield page;
		after = page.at(-1)!;
	}
}

/** The proofs that an address was erased, the oldest first. */
export function erasuresOf(query: Query, code: string): Promise<Omit<Erasure, "code">[]> {
	return query(
		'SELECT erased_at AS "erasedAt", reason FROM erasure WHERE code = $1 ORDER BY erased_at',
		[code],
	);
}

/** When the person of a registration was erased after they joined, if they were. */
export type ErasedAt = (
	registration: Pick<Registration, "key" | "createdAt">,
) => Erasure["erasedAt"] | undefined;

/** Recognizes who was erased among these registrations. */
export async function findErased(
	{ query, dialect }: Pick<Database, "query" | "dialect">,
	proofs: Proofs | undefined,
	registrations: readonly Pick<Registration, "key" | "email">[],
): Promise<ErasedAt> {
	if (!proofs) return () => undefined;
	const keys = new Map<string, string>();
	for (const registration of registrations) {
		const { key } = registration;
		for (const known of new Set([key, unfoldedKeyOf(registration)])) {
			keys.set(proofs.erasureKey.codeOf(known), key);
		}
	}
	const latest = await query<Pick<Erasure, "code" | "erasedAt">>(
		`SELECT code, max(erased_at) AS "erasedAt" FROM erasure
		WHERE code IN (SELECT value->>0 FROM ${dialect.jsonRows}) GROUP BY code`,
		[keysAsJson(keys.keys())],
	);
	// Of two proofs of one address the later one counts.
	latest.sort((a, b) => (a.erasedAt < b.erasedAt ? -1 : 1));
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
	query: Query,
	database: Database,
	proofs: Proofs | undefined,
	erasures: readonly Erasure[],
): Promise<void> {
	await lockProofs(query, proofs);
	const added = await insertErasures(query, database, erasures);
	if (proofs?.file !== undefined) {
		await appendErasures(proofs.file, added, proofs.erasureKey.fingerprint);
	}
}

/** Lets one command at a time write to the file, until the transaction ends. */
export async function lockProofs(query: Query, proofs: Proofs | undefined): Promise<void> {
	if (proofs?.file !== undefined) await query("UPDATE erasure_key SET one = 1");
}

/**
 * Adds proofs to a database, and gives those that were not there. A person who leaves again and again
 * has one proof, the latest: it says all that the earlier ones said.
 */
export async function insertErasures(
	query: Query,
	{ dialect }: Database,
	erasures: readonly Erasure[],
): Promise<Erasure[]> {
	const rows = JSON.stringify(
		erasures.map(({ code, erasedAt, reason }) => [code, erasedAt, reason]),
	);
	const added = await query<Erasure>(
		`INSERT INTO erasure (code, erased_at, reason)
		SELECT value->>0, value->>1, value->>2 FROM ${dialect.jsonRows}
		WHERE value->>2 <> '${LEFT}' OR NOT EXISTS (
			SELECT 1 FROM erasure WHERE code = value->>0 AND erased_at > value->>1
		)
		ON CONFLICT (code, erased_at) DO NOTHING
		RETURNING code, erased_at AS "erasedAt", reason`,
		[rows],
	);
	if (added.some(({ reason }) => reason === LEFT)) {
		await query(
			`DELETE FROM erasure WHERE reason = '${LEFT}'
				AND code IN (SELECT value->>0 FROM ${dialect.jsonRows}) AND EXISTS (
					SELECT 1 FROM erasure AS later
					WHERE later.code = erasure.code AND later.erased_at > erasure.erased_at
				)`,
			[rows],
		);
	}
	return added;
}
