import { LOCK, UNSENT } from "../../letters/outbox.ts";
import { keysAsJson } from "../../waitlist/schema.ts";
import type { Database, Query } from "../database/database.ts";

import { mergeRecipients, recipientOf } from "../database/recipients.ts";
import { erasuresOf, keepProofs, lockProofs, type Proofs } from "./erasure.ts";
import type { ErasureKey } from "./erasure-key.ts";

/**
 * The reason in a proof that somebody left, which tells it from a proof of erasure. It is kept as
 * those are, so that no backup, import or move brings a person back whom we no longer write to.
 */
export const LEFT = "left";

/** No address has a space in it: the code is never that of an erasure. */
const codeOf = (erasureKey: ErasureKey, key: string) => erasureKey.codeOf(`left ${key}`);

/** The proof that a person left. */
export function proofOfLeaving({ key: erasureKey }: Proofs, key: string, leftAt: string) {
	return { code: codeOf(erasureKey, key), erasedAt: leftAt, reason: LEFT };
}

/** Whether anybody has left, as far as the proofs in a database know. */
export async function hasLeavings(query: Query): Promise<boolean> {
	const found = await query("SELECT 1 AS one FROM erasure WHERE reason = $1 LIMIT 1", [LEFT]);
	return found.length > 0;
}

/** When a person left, each time, the earliest first; ISO 8601. */
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
	{ key: erasureKey }: Proofs,
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

/**
 * Writes to a person no more: keeps the proof, and ends the letters that wait. Should they join
 * again, one more letter may ask them to confirm. Leaving twice is leaving once.
 *
 * @param key of the person
 * @returns whether they are on the waitlist
 */
export function leave(
	database: Database,
	proofs: Proofs,
	key: string,
	now: Date,
): Promise<boolean> {
	return database.transaction(async (query) => {
		// One after the other with senders, who put letters back, and with erasures.
		await query(LOCK);
		await lockProofs(query, proofs);
		const [person] = await query<{ confirmedAt: string; leftAt: string }>(
			`SELECT COALESCE(confirmed_at, '') AS "confirmedAt", COALESCE(left_at, '') AS "leftAt"
			FROM registration LEFT JOIN recipient ON recipient.email_key = registration.email_key
			WHERE registration.email_key = $1`,
			[key],
		);
		if (!person) return false;
		const ended = await query(
			`UPDATE letter SET state = 'refused', code = 'left', held = 0, ended_at = $2
			WHERE email_key = $1 AND ${UNSENT} RETURNING email_key`,
			[key, now.toISOString()],
		);
		const hadLeft = person.leftAt !== "";
		if (hadLeft && ended.length === 0) return true;
		if (!hadLeft) {
			await query("UPDATE letter SET asks = 2 WHERE email_key = $1 AND kind = 'confirm'", [key]);
		}
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
