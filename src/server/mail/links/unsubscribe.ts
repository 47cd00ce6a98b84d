import type { SharedDatabase } from "../../database/database.ts";
import { hasRow, keysOf, runEach, type Statement, sql, type Tx } from "../../database/sql.ts";
import {
	confirmPersonSql,
	findPersonById,
	markUnsubscribed,
	mergeFacts,
	readMailingStatuses,
	withDefaultFacts,
} from "../../registrations/facts.ts";
import {
	type Suppression,
	UNSUBSCRIBED_PREFIX,
	type UnsubscribeWay,
	unsubscribeWay,
} from "../../registrations/suppression/suppression-file.ts";
import {
	findSuppressions,
	lockSuppressions,
	type SuppressionList,
	suppressPeople,
} from "../../registrations/suppression/suppression-list.ts";
import type { SecretKey } from "../../secret.ts";
import { isoOf } from "../../time.ts";
import { addEvents } from "../../webhooks/event.ts";
import { lockOutbox } from "../rate/outbox-state.ts";

/** The prefix has a space, which no address has, so this never equals the hash of a deleted address. */
const hashOf = (key: SecretKey, emailKey: string) => key.hashOf(`unsubscribed ${emailKey}`);

export const createUnsubscribeSuppression = (
	{ key }: SuppressionList,
	emailKey: string,
	at: string,
	way: UnsubscribeWay,
): Suppression => ({
	hash: hashOf(key, emailKey),
	at,
	reason: UNSUBSCRIBED_PREFIX + way,
	key: key.fingerprint,
});

export async function readUnsubscribes(tx: Tx, key: SecretKey, emailKey: string) {
	const entries = await findSuppressions(tx, [hashOf(key, emailKey)]);
	return entries.map(({ at, reason }) => ({
		at,
		by: unsubscribeWay(reason) ?? ("unknown" as const),
	}));
}

/** Unsubscribes imported or restored people who had unsubscribed before. */
export async function applyUnsubscribes(tx: Tx, key: SecretKey, emailKeys: readonly string[]) {
	const byHash = new Map(emailKeys.map((emailKey) => [hashOf(key, emailKey), emailKey]));
	const entries = await findSuppressions(tx, byHash.keys());
	const people = entries.map(({ hash, at: unsubscribedAt }) =>
		withDefaultFacts(byHash.get(hash)!, { unsubscribedAt }),
	);
	await mergeFacts(tx, people);
}

export async function unsubscribe(
	tx: Tx,
	input: { key: string; entry: Suppression; file: string; also: readonly Statement[] },
): Promise<boolean> {
	const { key, entry, file, also } = input;
	const waiting = sql`email_key = ${key} AND state IN ('waiting', 'deferred')`;
	const read = async () => (await readMailingStatuses(tx, [key], { lock: false }))[0];
	const known = await read();
	const isOver = known?.unsubscribedAt && !(await hasRow(tx, sql`email WHERE ${waiting}`));
	if (!known || isOver) return false;
	// Until the commit, keeps senders from requeuing an email, and deletions from deleting this person.
	await lockOutbox(tx);
	await lockSuppressions(tx);
	const person = await read();
	if (!person) return false;
	await tx.all(sql`UPDATE email SET state = 'refused', reason = 'unsubscribed', held = 0, ended_at = ${entry.at}
		WHERE ${waiting}`);
	if (person.unsubscribedAt !== "") return false;
	const unsubscribedAt = laterOf(entry.at, person.confirmedAt);
	await markUnsubscribed(tx, key, unsubscribedAt);
	await suppressPeople(tx, file, [{ ...entry, at: unsubscribedAt }]);
	await addEvents(tx, "unsubscribed", [key], unsubscribedAt);
	await runEach(tx, also);
	return true;
}

export async function unsubscribePeople(
	{ transact }: Pick<SharedDatabase, "transact">,
	list: SuppressionList,
	keys: readonly string[],
	{ way, now, also = [] }: { way: UnsubscribeWay; now: Date; also?: readonly Statement[] },
): Promise<string[]> {
	const unsubscribed: string[] = [];
	for (const key of keys) {
		const entry = createUnsubscribeSuppression(list, key, now.toISOString(), way);
		if (await transact(unsubscribe, { key, entry, file: list.file, also })) unsubscribed.push(key);
	}
	return unsubscribed;
}

/** Returns `now`, but at least 1 ms after `before`, which a wrong clock may have dated. */
const laterOf = (now: string, before: string) =>
	before < now ? now : isoOf(Date.parse(before) + 1);

export async function confirmPerson(
	tx: Tx,
	{ id, now, page }: { id: string; now: Date; page: string },
): Promise<void> {
	const person = await findPersonById(tx, id);
	if (!person) return;
	const time = laterOf(now.toISOString(), person.unsubscribedAt);
	const confirmed = await tx.all(confirmPersonSql(id, time, page));
	await tx.all(sql`UPDATE email SET state = 'accepted', reason = 'confirmed', ended_at = ${time}
		WHERE email_key = ${person.key} AND kind = 'confirm' AND state IN ('waiting', 'deferred')`);
	await tx.all(sql`UPDATE email SET queue = 'confirmed'
		WHERE email_key = ${person.key} AND queue = 'unconfirmed' AND state IN ('waiting', 'deferred')`);
	await addEvents(tx, "confirmed", keysOf(confirmed), time);
}
