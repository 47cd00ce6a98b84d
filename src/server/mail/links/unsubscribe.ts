import type { SharedDatabase } from "../../database/database.ts";
import { type Statement, sql } from "../../database/sql.ts";
import { runEach, type Tx } from "../../database/transaction.ts";
import { factsOf, mergeFacts } from "../../registrations/facts.ts";
import {
	type Suppression,
	UNSUBSCRIBED,
	type WayToLeave,
	wayToLeave,
} from "../../registrations/suppression/suppression-file.ts";
import {
	lockSuppressions,
	type SuppressionList,
	suppress,
	suppressionsOf,
} from "../../registrations/suppression/suppression-list.ts";
import type { Key } from "../../secret.ts";
import { addEvents } from "../../webhooks/event.ts";
import { lockOutbox } from "../rate/outbox-row.ts";

/** No address has a space in it: the hash is never that of somebody who was deleted. */
const hashOf = (key: Key, emailKey: string) => key.hashOf(`left ${emailKey}`);

export const entryOfLeaving = (
	{ key }: SuppressionList,
	emailKey: string,
	at: string,
	way: WayToLeave,
): Suppression => ({
	hash: hashOf(key, emailKey),
	at,
	reason: UNSUBSCRIBED + way,
	key: key.fingerprint,
});

/** A time at which a person left, ISO 8601, and how; "unknown" where nobody noted it. */
export interface PastLeaving {
	at: string;
	by: WayToLeave | "unknown";
}

export const LEFT_BY: Record<PastLeaving["by"], string> = {
	button: "by the button of the page",
	"one-click": "by the button of their mail program",
	complaint: "by calling a letter spam",
	import: "elsewhere, as an import said",
	request: "on request, by us",
	unknown: "nobody noted how",
};

export async function leavingsOf(asked: Tx, key: Key, emailKey: string): Promise<PastLeaving[]> {
	const entries = await suppressionsOf(asked, [hashOf(key, emailKey)]);
	return entries.map(({ at, reason }) => ({ at, by: wayToLeave(reason) ?? "unknown" }));
}

/**
 * Unsubscribes people by the suppression list. An entry counts while it is later than the
 * person's confirmation. Runs in the transaction that brings these people in.
 */
export async function applyLeavings(tx: Tx, key: Key, emailKeys: readonly string[]): Promise<void> {
	const byHash = new Map(emailKeys.map((emailKey) => [hashOf(key, emailKey), emailKey]));
	const left = await suppressionsOf(tx, byHash.keys());
	const people = left.map(({ hash, at: unsubscribedAt }) =>
		factsOf(byHash.get(hash)!, { unsubscribedAt }),
	);
	await mergeFacts(tx, people);
}

/** A person who may unsubscribe, and whether an email waits for them: 0 or 1 on SQLite. */
const personOf = (key: string) =>
	sql<{ confirmedAt: string; unsubscribedAt: string; waits: boolean | number }>`
		SELECT confirmed_at AS "confirmedAt", unsubscribed_at AS "unsubscribedAt", EXISTS (
			SELECT 1 FROM email
			WHERE email.email_key = registration.email_key AND state IN ('waiting', 'deferred')
		) AS waits
		FROM registration WHERE email_key = ${key}`;

interface Unsubscribing {
	key: string;
	entry: Suppression;
	file: string;
	/** Statements of the same transaction, if they had not unsubscribed before. */
	also: readonly Statement[];
}

/**
 * Unsubscribes a person: puts them on the suppression list, and ends the emails that wait. Only a link in
 * their emails can change that. Unsubscribing twice writes nothing if no email waits.
 */
export async function unsubscribe(tx: Tx, leaving: Unsubscribing): Promise<boolean> {
	const { key, entry, file, also } = leaving;
	const known = await tx.first(personOf(key));
	if (!known || (known.unsubscribedAt !== "" && !known.waits)) return false;
	// One after the other with senders, who put emails back, and with erasures.
	await lockOutbox(tx);
	await lockSuppressions(tx);
	const person = await tx.first(personOf(key));
	if (!person) return false;
	await tx.all(sql`UPDATE email SET state = 'refused', reason = 'left', held = 0, ended_at = ${entry.at}
		WHERE email_key = ${key} AND state IN ('waiting', 'deferred')`);
	if (person.unsubscribedAt !== "") return false;
	const unsubscribedAt = afterwards(entry.at, person.confirmedAt);
	await tx.all(
		sql`UPDATE registration SET unsubscribed_at = ${unsubscribedAt} WHERE email_key = ${key}`,
	);
	await suppress(tx, file, [{ ...entry, at: unsubscribedAt }]);
	await addEvents(tx, "unsubscribed", [key], unsubscribedAt);
	await runEach(tx, also);
	return true;
}

export async function unsubscribePeople(
	{ transact }: Pick<SharedDatabase, "transact">,
	list: SuppressionList,
	keys: readonly string[],
	{ way, now, also = [] }: { way: WayToLeave; now: Date; also?: readonly Statement[] },
): Promise<string[]> {
	const unsubscribed: string[] = [];
	for (const key of keys) {
		const entry = entryOfLeaving(list, key, now.toISOString(), way);
		const leaving = { key, entry, file: list.file, also };
		if (await transact(unsubscribe, leaving)) unsubscribed.push(key);
	}
	return unsubscribed;
}

/** Now, but later than a confirmation by a clock that was ahead. */
function afterwards(now: string, confirmedAt: string): string {
	if (confirmedAt < now) return now;
	return new Date(Date.parse(confirmedAt) + 1).toISOString();
}
