import type { SharedDatabase } from "../../database/database.ts";
import { keysIn, sql } from "../../database/sql.ts";
import { runEach, type Statement } from "../../database/statement.ts";
import type { Tx } from "../../database/transaction.ts";
import type { Erasure } from "../../registrations/proofs/erasure-file.ts";
import {
	keepProofs,
	lockProofs,
	type Proofs,
	type ProofsFile,
} from "../../registrations/proofs/erasures.ts";
import { deleteRegistrations } from "../../registrations/registrations.ts";
import { addErasedEvents } from "../../webhooks/event.ts";
import { personNames } from "../../webhooks/person.ts";

/** People to erase, and why. */
interface Erasing {
	/** Each with what the proof and events call them. */
	people: readonly { key: string; code: string; person: string }[];
	proofs: ProofsFile;
	/** The time, ISO 8601. */
	now: string;
	reason: string;
	/** Statements of the same transaction, if somebody is erased. */
	also: readonly Statement[];
}

/**
 * Deletes people, with all that is kept of their emails, and keeps a proof of each. Returns the proofs.
 * Afterwards the caller has the database forget them: see `SharedDatabase.forget`.
 */
export async function erase(
	tx: Tx,
	{ people, proofs, now, reason, also }: Erasing,
): Promise<Erasure[]> {
	const { query } = tx;
	const named = new Map(people.map((one) => [one.key, one]));
	const keys = [...named.keys()];
	await lockProofs(query, proofs);
	const deleted = await deletePeople(tx, keys);
	const erasures = deleted.map(({ key, createdAt }) => {
		// A wrong clock may have dated a join later than now: a backup has it like that.
		const erasedAt = createdAt > now ? createdAt : now;
		return { code: named.get(key)!.code, erasedAt, reason };
	});
	if (deleted.length > 0) {
		const erased = deleted.map(({ key, email }) => ({ ...named.get(key)!, email }));
		await addErasedEvents(tx, erased, now);
		await runEach(query, also);
	}
	await keepProofs(tx, proofs, erasures);
	return erasures;
}

/** Deletes people with their emails, and returns who was there. */
export async function deletePeople(tx: Tx, keys: readonly string[]) {
	const deleted = await deleteRegistrations(tx.query, tx.dialect, keys);
	await tx.all(sql`DELETE FROM email WHERE email_key IN ${keysIn(tx, keys)}`);
	return deleted;
}

/** Runs {@link erase}. */
export function erasePeople(
	{ transact }: Pick<SharedDatabase, "transact">,
	{ erasureKey, file, fingerprint }: Proofs,
	keys: readonly string[],
	{ now, reason, also = [] }: { now: Date; reason: string; also?: readonly Statement[] },
): Promise<Erasure[]> {
	const person = personNames(erasureKey.secret);
	const people = keys.map((key) => ({ key, code: erasureKey.codeOf(key), person: person(key) }));
	const proofs = { file, fingerprint };
	return transact(erase, { people, proofs, now: now.toISOString(), reason, also });
}
