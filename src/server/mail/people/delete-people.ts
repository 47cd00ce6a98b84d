import { brand } from "#brand";
import { backupRetentionDays } from "#shared/retention.ts";
import type { SharedDatabase } from "../../database/database.ts";
import { keysSql, runEach, type Statement, sql, type Tx } from "../../database/sql.ts";
import type { Operation } from "../../registrations/operation.ts";
import { deleteRegistrations } from "../../registrations/registrations.ts";
import type { Suppression } from "../../registrations/suppression/suppression-file.ts";
import {
	lockSuppressions,
	openSuppressionList,
	type SuppressionList,
	suppressPeople,
} from "../../registrations/suppression/suppression-list.ts";
import { shownTime } from "../../time.ts";
import { addDeletedEvents, hasWebhook } from "../../webhooks/event.ts";

export const DELETED_ON_REQUEST = "on request";

interface Deletion {
	people: readonly { key: string; entry: Suppression }[];
	file: string;
	now: string;
	also: readonly Statement[];
}

export async function deleteAndSuppress(
	tx: Tx,
	{ people, file, now, also }: Deletion,
): Promise<Suppression[]> {
	const named = new Map(people.map((one) => [one.key, one]));
	await lockSuppressions(tx);
	const deleted = await deletePeopleRows(tx, [...named.keys()]);
	const entries = deleted.map(({ key, joinedAt }) => {
		const { entry } = named.get(key)!;
		// A wrong clock may have dated the join in the future. A deletion before it would not count (`findDeletions`).
		return { ...entry, at: joinedAt > now ? joinedAt : now };
	});
	if (deleted.length > 0) {
		await addDeletedEvents(tx, deleted, now);
		await runEach(tx, also);
	}
	await suppressPeople(tx, file, entries);
	return entries;
}

export async function deletePeopleRows(tx: Tx, keys: readonly string[]) {
	const deleted = await deleteRegistrations(tx, keys);
	await tx.all(sql`DELETE FROM email WHERE email_key IN ${keysSql(keys)}`);
	return deleted;
}

/** Call `SharedDatabase.forget` afterwards to purge the journal. */
export function deletePeople(
	{ transact }: Pick<SharedDatabase, "transact">,
	{ key: { fingerprint, hashOf }, file }: SuppressionList,
	keys: readonly string[],
	{ now, reason, also = [] }: { now: Date; reason: string; also?: readonly Statement[] },
): Promise<Suppression[]> {
	const at = now.toISOString();
	const people = keys.map((key) => ({
		key,
		entry: { hash: hashOf(key), at, reason, key: fingerprint },
	}));
	return transact(deleteAndSuppress, { people, file, now: at, also });
}

/** Proof of a deletion. Only the receipt still contains the address. */
interface Receipt extends Suppression {
	email: string;
	/** A webhook receiver has the address, and so gets a `deleted` event. */
	told?: true;
}

export async function deleteNamedPeople(
	{ database, places, now, note }: Operation<SharedDatabase>,
	named: ReadonlyMap<string, string>,
	reason: string,
): Promise<{ receipts: Receipt[]; notFound: string[] }> {
	const list = await openSuppressionList(database, places);
	const keys = [...named.keys()];
	const byHash = new Map([...named].map(([key, email]) => [list.key.hashOf(key), email]));
	const also = note("person deleted", keys.length === 1 ? "" : `${keys.length} people`);
	const entries = await deletePeople(database, list, keys, { now, reason, also });
	const told = (await hasWebhook(database)) && { told: true as const };
	const receipts = entries.map((entry) => ({ email: byHash.get(entry.hash)!, ...entry, ...told }));
	for (const { hash } of entries) byHash.delete(hash);
	// Runs even if no one was found, because an earlier deletion may have been interrupted here.
	await database.forget();
	return { receipts, notFound: [...byHash.values()] };
}

export function deletionReasonProblem(text: string): string | undefined {
	if (text.startsWith("unsubscribed")) {
		return 'Reasons that start with "unsubscribed" are reserved. Use another reason.';
	}
	if (text.length > 0 && text.length <= 100 && !text.includes("@")) return undefined;
	return "The reason must be 1 to 100 characters, without an address.";
}

export function deletionReceiptAsText({ email, hash, at, reason, told }: Receipt): string {
	return (
		`Receipt\n  deleted: ${email}, from the ${brand.product} waitlist (${brand.company})\n` +
		`  on:      ${shownTime(at)}\n  reason:  ${reason}\n  hash:    ${hash}\n` +
		(told ? "  told:    our webhook receiver, which had the address\n" : "") +
		`  Earlier backups may contain the address for up to ${backupRetentionDays} days.\n` +
		`  Restoring one will not bring it back.`
	);
}
