import type { Database, Query } from "../../database/database.ts";
import { keysAsJson } from "../../database/dialect.ts";
import type { ErasureKey } from "../../secret.ts";
import { LEFT } from "../../waitlist/erasure-file.ts";
import { erasuresOf, keepProofs, lockProofs, type Proofs } from "../../waitlist/erasures.ts";
import { mergeRecipients, recipientOf } from "../../waitlist/recipients.ts";
import { UNSENT } from "../letter.ts";
import { refuseAllOf } from "../person.ts";
import { LOCK } from "../sending/outbox.ts";

/** No address has a space in it: the code is never that of an erasure. */
const codeOf = (erasureKey: ErasureKey, key: string) => erasureKey.codeOf(`left ${key}`);

/** The proof that a person left. */
export function proofOfLeaving({ erasureKey }: Proofs, key: string, leftAt: string) {
	return { code: codeOf(erasureKey, key), erasedAt: leftAt, reason: LEFT };
}

/** Whether anybody has left, as far as the proofs in a database know. */
export async function hasLeavings(query: Query): Promise<boolean> {
	const found = await query("SELECT 1 AS one FROM erasure WHERE reason = $1 LIMIT 1", [LEFT]);
	return found.length > 0;
}

/** When a person left, as the proofs say: the last time, or never; ISO 8601. */
export async function leavingsOf(
	query: Query,
	erasureKey: ErasureKey,
	key: string,
): Promise<string[]> {
	const proofs = await erasuresOf(query, codeOf(erasureKey, key));
	return proofs.map(({ erasedAt }) => erasedAt);
}

/**
 * Makes sure that whoever left, as the proofs say, has left here. A proof counts while it is later
 * than the person's confirmation.
 *
 * @param query in the transaction that brings these people in
 */
export async function applyLeavings(
	query: Query,
	{ dialect }: Database,
	{ erasureKey }: Proofs,
	keys: readonly string[],
): Promise<void> {
	const byCode = new Map(keys.map((key) => [codeOf(erasureKey, key), key]));
	const left = await query<{ code: string; leftAt: string }>(
		`SELECT code, max(erased_at) AS "leftAt" FROM erasure
		WHERE code IN (SELECT value->>0 FROM ${dialect.jsonRows}) GROUP BY code`,
		[keysAsJson(byCode.keys())],
	);
	const people = left.map(({ code, leftAt }) => recipientOf(byCode.get(code)!, { leftAt }));
	await mergeRecipients(query, dialect, people);
}

/** Whether a person is there, when they confirmed and left, and whether a letter waits for them. */
const PERSON = `SELECT COALESCE(confirmed_at, '') AS "confirmedAt", COALESCE(left_at, '') AS "leftAt",
		EXISTS (SELECT 1 FROM letter WHERE letter.email_key = $1 AND ${UNSENT}) AS "hasUnsent"
	FROM registration LEFT JOIN recipient ON recipient.email_key = registration.email_key
	WHERE registration.email_key = $1`;

interface Person {
	confirmedAt: string;
	leftAt: string;
	/** 0 or 1 on SQLite. */
	hasUnsent: boolean | number;
}

/**
 * Writes to a person no more: keeps the proof, and ends the letters that wait. Only they can change
 * that, by a link of their own. Leaving twice is leaving once: it makes no second proof, and where
 * nothing waits it writes nothing.
 *
 * @param key of the person
 * @returns whether they are on the waitlist
 */
export async function leave(
	database: Database,
	proofs: Proofs,
	key: string,
	now: Date,
): Promise<boolean> {
	const [known] = await database.query<Person>(PERSON, [key]);
	if (!known) return false;
	if (known.leftAt !== "" && !known.hasUnsent) return true;
	return database.transaction(async (query) => {
		// One after the other with senders, who put letters back, and with erasures.
		await query(LOCK);
		await lockProofs(query, proofs);
		const [person] = await query<Person>(PERSON, [key]);
		if (!person) return false;
		await refuseAllOf(query, key, now);
		if (person.leftAt !== "") return true;
		const leftAt = afterwards(now, person.confirmedAt);
		await mergeRecipients(query, database.dialect, [recipientOf(key, { leftAt })]);
		await keepProofs(query, database, proofs, [proofOfLeaving(proofs, key, leftAt)]);
		return true;
	});
}

/** Now, but later than a confirmation by a clock that was ahead. */
function afterwards(now: Date, confirmedAt: string): string {
	if (confirmedAt === "") return now.toISOString();
	return new Date(Math.max(now.getTime(), Date.parse(confirmedAt) + 1)).toISOString();
}
