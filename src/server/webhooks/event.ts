import { type Dialect, keysAsJson } from "../database/dialect.ts";
import { fieldIn, rowsIn, sql } from "../database/sql.ts";
import type { Tx } from "../database/transaction.ts";
import { readWebhook } from "./webhook.ts";

/** What happened to a person. */
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
	/** When it happened, ISO 8601 in UTC with milliseconds. */
	timestamp: string;
	data: {
		/** The same for a person in every event. */
		id: string;
		/** As the person typed it. */
		email: string;
	};
}

/**
 * SQL that adds an event for each person, if there is a webhook. The row of `webhook` decides, so that a
 * command in a shell without the settings adds events as well. With a row for each person, joins run at
 * about half of their maximum.
 *
 * @param people SQL for rows with `email_key` and `at`, ISO 8601
 */
export const insertEventsSql = ({ randomId }: Dialect, kind: EventKind, people: string) =>
	`INSERT INTO event (id, kind, who, at, state, next_at)
	SELECT 'msg_' || ${randomId}, '${kind}', email_key, at, 'waiting', at
	FROM (${people}) AS person WHERE EXISTS (SELECT 1 FROM webhook WHERE ended_at = '')`;

/** Adds events in the transaction in which something happened, at a time, ISO 8601. */
export async function addEvents(
	{ query, dialect }: Pick<Tx, "query" | "dialect">,
	kind: EventKind,
	keys: Iterable<string>,
	at: string,
): Promise<void> {
	const people = new Set(keys);
	if (people.size === 0) return;
	const rows = `SELECT value->>0 AS email_key, $2 AS at FROM ${dialect.jsonRows}`;
	await query(insertEventsSql(dialect, kind, rows), [keysAsJson(people), at]);
}

/**
 * Drops the events of deleted people, and adds the event of their deletion. An event that is being sent
 * cannot be called back: the deletion is sent once its lease
 * is over, and arrives last.
 *
 * @param erased the key and the address of each as typed, and their id in events: see person.ts
 */
export async function addErasedEvents(
	tx: Tx,
	erased: readonly { key: string; person: string; email: string }[],
	now: string,
): Promise<void> {
	const dropped = await tx.all(sql<{ who: string; state: string; nextAt: string }>`DELETE FROM event
		WHERE who IN ${fieldIn(tx, erased, "key")}
		RETURNING who, state, next_at AS "nextAt"`);
	const webhook = await readWebhook(tx.query);
	if (webhook?.endedAt !== "") return;
	const isSending = dropped.filter(({ state }) => state === "sending");
	const leases = new Map(isSending.map(({ who, nextAt }) => [who, nextAt]));
	const rows = erased.map(({ key, person, email }) => [person, email, leases.get(key) ?? now]);
	await tx.all(sql`INSERT INTO event (id, kind, who, email, at, state, next_at)
		SELECT 'msg_' || ${{ sql: tx.dialect.randomId }}, 'deleted', value->>0, value->>1, ${now},
			'waiting', value->>2
		FROM ${rowsIn(tx, rows)}`);
}
