import type { SharedDatabase } from "../../database/database.ts";
import { keysIn, runEach, type Statement, sql, type Tx } from "../../database/sql.ts";
import { deleteRegistrations } from "../../registrations/registrations.ts";
import type { Suppression } from "../../registrations/suppression/suppression-file.ts";
import {
	lockSuppressions,
	type SuppressionList,
	suppress,
} from "../../registrations/suppression/suppression-list.ts";
import { addDeletedEvents, personNames } from "../../webhooks/event.ts";

interface Deletion {
	/** Each with its entry of the suppression list, and its name in events. */
	people: readonly { key: string; entry: Suppression; person: string }[];
	/** The suppression file. */
	file: string;
	/** ISO 8601. */
	now: string;
	/** Statements of the same transaction, if somebody is deleted. */
	also: readonly Statement[];
}

/**
 * Deletes people with their emails, and returns their entries of the suppression list. Call
 * `SharedDatabase.forget` afterwards.
 */
export async function deleteAndSuppress(
	tx: Tx,
	{ people, file, now, also }: Deletion,
): Promise<Suppression[]> {
	const named = new Map(people.map((one) => [one.key, one]));
	await lockSuppressions(tx);
	const deleted = await deleteRowsOf(tx, [...named.keys()]);
	const entries = deleted.map(({ key, joinedAt }) => {
		const { entry } = named.get(key)!;
		// A backup may have a join that a wrong clock dated later than now.
		return { ...entry, at: joinedAt > now ? joinedAt : now };
	});
	if (deleted.length > 0) {
		const people = deleted.map(({ key, email }) => ({ ...named.get(key)!, email }));
		await addDeletedEvents(tx, people, now);
		await runEach(tx, also);
	}
	await suppress(tx, file, entries);
	return entries;
}

export async function deleteRowsOf(tx: Tx, keys: readonly string[]) {
	const deleted = await deleteRegistrations(tx, keys);
	await tx.all(sql`DELETE FROM email WHERE email_key IN ${keysIn(keys)}`);
	return deleted;
}

export function deletePeople(
	{ transact }: Pick<SharedDatabase, "transact">,
	{ key: { secret, fingerprint, hashOf }, file }: SuppressionList,
	keys: readonly string[],
	{ now, reason, also = [] }: { now: Date; reason: string; also?: readonly Statement[] },
): Promise<Suppression[]> {
	const person = personNames(secret);
	const at = now.toISOString();
	const people = keys.map((key) => ({
		key,
		entry: { hash: hashOf(key), at, reason, key: fingerprint },
		person: person(key),
	}));
	return transact(deleteAndSuppress, { people, file, now: at, also });
}
