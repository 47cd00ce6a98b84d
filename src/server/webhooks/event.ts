import { randomBytes } from "node:crypto";
import { keysIn, keysOf, rowsIn, sql } from "../database/sql.ts";
import type { Tx } from "../database/transaction.ts";
import { signer } from "../secret.ts";
import { hasWebhook } from "./webhook.ts";

export type EventKind =
	| "joined"
	| "confirmed"
	| "unsubscribed"
	| "bounced"
	| "invited"
	| "redeemed"
	| "deleted";

/** The body of a webhook, by Standard Webhooks 1.0. */
export interface WebhookEvent {
	type: `registration.${EventKind}`;
	/** ISO 8601 in UTC with milliseconds. */
	timestamp: string;
	data: {
		/** Every event of a person has this id. */
		id: string;
		/** As typed. */
		email: string;
	};
}

export const addEvents = (tx: Tx, kind: EventKind, keys: Iterable<string>, at: string) =>
	addEventsOf(
		tx,
		kind,
		Array.from(new Set(keys), (key) => [key, at] as const),
	);

const newId = () => `msg_${randomBytes(16).toString("hex")}`;

/**
 * Adds an event for each person, if there is a webhook. Its row decides, so that a command in a shell
 * without the settings adds events as well. With it, joins run at about half of their maximum.
 *
 * @param people keys with a time, ISO 8601
 */
export async function addEventsOf(
	tx: Tx,
	kind: EventKind,
	people: readonly (readonly [key: string, at: string])[],
): Promise<void> {
	if (people.length === 0) return;
	await tx.all(sql`INSERT INTO event (id, kind, who, at, state, next_at)
		SELECT value->>2, ${kind}, value->>0, value->>1, 'waiting', value->>1
		FROM ${rowsIn(people.map((one) => [...one, newId()]))} WHERE EXISTS (SELECT 1 FROM webhook)`);
}

/**
 * Drops the events of deleted people, and adds the event of their deletion. An event that is being sent
 * cannot be called back: the deletion waits for the end of its lease, and arrives last.
 *
 * @param erased `person` by {@link personNames}, `email` as typed
 */
export async function addDeletedEvents(
	tx: Tx,
	erased: readonly { key: string; person: string; email: string }[],
	now: string,
): Promise<void> {
	const dropped = await tx.all(sql<{ who: string; state: string; nextAt: string }>`DELETE FROM event
		WHERE who IN ${keysIn(keysOf(erased))}
		RETURNING who, state, next_at AS "nextAt"`);
	if (!(await hasWebhook(tx))) return;
	const isSending = dropped.filter(({ state }) => state === "sending");
	const leases = new Map(isSending.map(({ who, nextAt }) => [who, nextAt]));
	const rows = erased.map(({ key, person, email }) => [
		...[person, email, leases.get(key) ?? now, newId()],
	]);
	await tx.all(sql`INSERT INTO event (id, kind, who, email, at, state, next_at)
		SELECT value->>3, 'deleted', value->>0, value->>1, ${now}, 'waiting', value->>2
		FROM ${rowsIn(rows)}`);
}

/**
 * The id of a person in events, by their canonical address: the same for ever and in every copy of the
 * list. Without the secret it leads to no address.
 */
export function personNames(secret: string): (key: string) => string {
	const sign = signer(secret, "events", 16);
	return (key) => sign(key).toString("hex");
}
