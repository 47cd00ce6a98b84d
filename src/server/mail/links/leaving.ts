import type { SharedDatabase } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { type Query, runEach, type Statement } from "../../database/statement.ts";
import type { Tx } from "../../database/transaction.ts";
import { factsOf, mergeFacts } from "../../registrations/facts.ts";
import {
	type Erasure,
	reasonOfLeaving,
	type WayToLeave,
	wayToLeave,
} from "../../registrations/proofs/erasure-file.ts";
import {
	erasuresOf,
	keepProofs,
	latestProofs,
	lockProofs,
	type Proofs,
	type ProofsFile,
} from "../../registrations/proofs/erasures.ts";
import type { ErasureKey } from "../../secret.ts";
import { addEvents } from "../../webhooks/event.ts";
import { LOCK } from "../rate/outbox-row.ts";

/** No address has a space in it: the code is never that of an erasure. */
const codeOf = (erasureKey: ErasureKey, key: string) => erasureKey.codeOf(`left ${key}`);

/** The proof that a person left. */
export function proofOfLeaving(
	{ erasureKey }: Proofs,
	key: string,
	leftAt: string,
	way: WayToLeave,
): Erasure {
	return { code: codeOf(erasureKey, key), erasedAt: leftAt, reason: reasonOfLeaving(way) };
}

/** A time at which a person left, ISO 8601, and how; "unknown" where nobody noted it. */
export interface PastLeaving {
	at: string;
	by: WayToLeave | "unknown";
}

/** How a person left, in words. */
export const LEFT_BY: Record<PastLeaving["by"], string> = {
	button: "by the button of the page",
	"one-click": "by the button of their mail program",
	complaint: "by calling a letter spam",
	import: "elsewhere, as an import said",
	request: "on request, by us",
	unknown: "nobody noted how",
};

/** When and how a person left, as the proofs say: the last time, or never. */
export async function leavingsOf(
	query: Query,
	erasureKey: ErasureKey,
	key: string,
): Promise<PastLeaving[]> {
	const proofs = await erasuresOf(query, codeOf(erasureKey, key));
	return proofs.map(({ erasedAt: at, reason }) => ({ at, by: wayToLeave(reason) ?? "unknown" }));
}

/**
 * Makes sure that whoever left, as the proofs say, has left here. A proof counts while it is later
 * than the person's confirmation.
 *
 * Runs in the transaction that brings these people in.
 */
export async function applyLeavings(
	{ query, dialect }: Pick<Tx, "query" | "dialect">,
	{ erasureKey }: Proofs,
	keys: readonly string[],
): Promise<void> {
	const byCode = new Map(keys.map((key) => [codeOf(erasureKey, key), key]));
	const left = await latestProofs(query, dialect, byCode.keys());
	const people = left.map(({ code, erasedAt: leftAt }) => factsOf(byCode.get(code)!, { leftAt }));
	await mergeFacts(query, dialect, people);
}

/** A person who may unsubscribe, and whether an email waits for them: 0 or 1 on SQLite. */
const personOf = (key: string) =>
	sql<{ confirmedAt: string; leftAt: string; waits: boolean | number }>`
		SELECT confirmed_at AS "confirmedAt", unsubscribed_at AS "leftAt", EXISTS (
			SELECT 1 FROM email
			WHERE email.email_key = registration.email_key AND state IN ('waiting', 'deferred')
		) AS waits
		FROM registration WHERE email_key = ${key}`;

/** Who unsubscribes. */
interface Unsubscribing {
	key: string;
	/** As of now. */
	proof: Erasure;
	proofs: ProofsFile;
	/** Statements of the same transaction, if they had not unsubscribed before. */
	also: readonly Statement[];
}

/**
 * Unsubscribes a person: keeps the proof, and ends the emails that wait. Only they can change that, by
 * a link of their own. Unsubscribing twice makes no second proof, and writes nothing if no email waits.
 *
 * @returns whether they are on the waitlist, and had not unsubscribed before
 */
export async function unsubscribe(tx: Tx, leaving: Unsubscribing): Promise<boolean> {
	const { key, proof, proofs, also } = leaving;
	const { query } = tx;
	const known = await tx.first(personOf(key));
	if (!known || (known.leftAt !== "" && !known.waits)) return false;
	// One after the other with senders, who put letters back, and with erasures.
	await query(LOCK);
	await lockProofs(query, proofs);
	const person = await tx.first(personOf(key));
	if (!person) return false;
	await tx.all(sql`UPDATE email SET state = 'refused', reason = 'left', held = 0, ended_at = ${proof.erasedAt}
		WHERE email_key = ${key} AND state IN ('waiting', 'deferred')`);
	if (person.leftAt !== "") return false;
	const leftAt = afterwards(proof.erasedAt, person.confirmedAt);
	await tx.all(sql`UPDATE registration SET unsubscribed_at = ${leftAt} WHERE email_key = ${key}`);
	await keepProofs(tx, proofs, [{ ...proof, erasedAt: leftAt }]);
	await addEvents(tx, "unsubscribed", [key], leftAt);
	await runEach(query, also);
	return true;
}

/**
 * Unsubscribes people, each in a transaction of their own.
 *
 * @param also what else is done in the transaction of each
 * @returns the keys of those who had not unsubscribed before
 */
export async function unsubscribePeople(
	{ transact }: Pick<SharedDatabase, "transact">,
	proofs: Proofs,
	keys: readonly string[],
	{ way, now, also = [] }: { way: WayToLeave; now: Date; also?: readonly Statement[] },
): Promise<string[]> {
	const { file, fingerprint } = proofs;
	const unsubscribed: string[] = [];
	for (const key of keys) {
		const proof = proofOfLeaving(proofs, key, now.toISOString(), way);
		const leaving = { key, proof, proofs: { file, fingerprint }, also };
		if (await transact(unsubscribe, leaving)) unsubscribed.push(key);
	}
	return unsubscribed;
}

/** Now, but later than a confirmation by a clock that was ahead. */
function afterwards(now: string, confirmedAt: string): string {
	if (confirmedAt < now) return now;
	return new Date(Date.parse(confirmedAt) + 1).toISOString();
}
