import { createHmac, randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Settings } from "../settings.ts";
import type { Dialect } from "../waitlist/schema.ts";
import type { Registration } from "../waitlist/waitlist.ts";
import type { Database, Query } from "./database/database.ts";

/** The proof of an erasure. Without the secret nothing in it leads back to the address. */
export interface Erasure {
	/** HMAC-SHA256 of the canonical address with the operator's secret, in hexadecimal. */
	code: string;
	/** ISO 8601 in UTC with milliseconds. */
	erasedAt: string;
	reason: string;
}

/** Makes the code of a canonical address. */
export type CodeOf = (key: string) => string;

/** An erasure that is to be done. */
export interface Erasing {
	codeOf: CodeOf;
	erasedAt: Erasure["erasedAt"];
	reason: string;
}

/**
 * Finds the secret: the setting, or with SQLite a file beside the database, made when first needed.
 *
 * @throws Error with a sentence for the operator when PostgreSQL is used without the setting:
 *   several machines need the same secret
 */
export function erasureCodes({
	erasureKey,
	database,
}: Pick<Settings, "erasureKey" | "database">): CodeOf {
	const secret = erasureKey ?? fileSecret(database);
	return (key) => createHmac("sha256", secret).update(key).digest("hex");
}

function fileSecret(database: Settings["database"]): string {
	if (database.kind === "postgres") {
		throw new Error(
			"Set WAITLIST_ERASURE_KEY to a secret (openssl rand -hex 32 makes one) and keep it: " +
				"it recognizes proofs of erasure, so that an old backup cannot bring an address back.",
		);
	}
	const file = `${database.file}.erasure-key`;
	if (!existsSync(file)) {
		writeFileSync(file, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
	}
	return readFileSync(file, "utf8").trim();
}

/** Recognizes registrations that were erased. */
export interface Erased {
	/** The erasure of a registration, if its address was erased after it joined. */
	find(registration: Pick<Registration, "key" | "createdAt">): Erasure | undefined;
}

/** Reads all erasures. The secret is needed only if there are any. */
export async function readErased(query: Query, codes: () => CodeOf): Promise<Erased> {
	const latest = new Map<string, Erasure>();
	for (const erasure of await readErasures(query)) {
		const known = latest.get(erasure.code);
		if (!known || known.erasedAt < erasure.erasedAt) latest.set(erasure.code, erasure);
	}
	const codeOf = latest.size > 0 ? codes() : undefined;
	return {
		find({ key, createdAt }) {
			const erasure = codeOf && latest.get(codeOf(key));
			return erasure && createdAt <= erasure.erasedAt ? erasure : undefined;
		},
	};
}

/** Reads the proofs of all erasures. */
export function readErasures(query: Query): Promise<Erasure[]> {
	return query<Erasure>('SELECT code, erased_at AS "erasedAt", reason FROM erasure');
}

/** Keeps proofs of erasure. A proof that is already kept is not kept twice. */
export async function addErasures(
	query: Query,
	{ jsonRows }: Dialect,
	erasures: readonly Erasure[],
): Promise<void> {
	const rows = erasures.map(({ code, erasedAt, reason }) => [code, erasedAt, reason]);
	await query(
		`INSERT INTO erasure (code, erased_at, reason)
		SELECT value->>0, value->>1, value->>2 FROM ${jsonRows} WHERE true
		ON CONFLICT (code, erased_at) DO NOTHING`,
		[JSON.stringify(rows)],
	);
}

/** Deletes registrations and keeps a proof of each, in one transaction. Gives the proofs. */
export async function eraseKeys(
	database: Database,
	keys: readonly string[],
	{ codeOf, erasedAt, reason }: Erasing,
): Promise<Erasure[]> {
	const { dialect } = database;
	const erasures = await database.transaction(async (query) => {
		const deleted = await query<{ key: string }>(
			`DELETE FROM registration
			WHERE email_key IN (SELECT value->>0 FROM ${dialect.jsonRows})
			RETURNING email_key AS "key"`,
			[JSON.stringify(keys.map((key) => [key]))],
		);
		const proofs = deleted.map(({ key }) => ({ code: codeOf(key), erasedAt, reason }));
		await addErasures(query, dialect, proofs);
		return proofs;
	});
	await database.forget();
	return erasures;
}
