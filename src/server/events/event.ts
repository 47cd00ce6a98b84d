import {
	type Query,
	type SharedDatabase,
	type Statement,
	statement,
} from "../database/database.ts";
import type { Dialect } from "../database/dialect.ts";
import { EVENT, WEBHOOK } from "../database/schema.ts";
import type { WebhookBody } from "../settings/telling.ts";

/*
 * The tables `event` (what another system has not been told yet, or could not be) and `webhook` (one row
 * while the server has an address for events). An event is written by whoever changes something, in the
 * same transaction and whatever its process: the row decides, so that a command in a shell without the
 * settings tells as well. It is `new` until the sender takes it up, and meanwhile has no id and no index
 * by person, because random places of an index cost a join more than all else: with them joins ran at
 * 0.54 of their rate in full batches on SQLite, without at 0.95 (CPU time, 100,000 rows in turns, each batch
 * between BEGIN and COMMIT).
 */

/** What another system is told of a person. */
export type EventKind =
	| "joined"
	| "confirmed"
	| "left"
	| "bounced"
	| "invited"
	| "redeemed"
	| "erased";

const RECEIVED = `FROM ${WEBHOOK} WHERE ended_at = ''`;

/**
 * SQL that writes an event for each of some people, where another system is told.
 *
 * @param people rows with `email_key`, in SQL: what follows FROM
 * @param at when it happened, ISO 8601, in SQL
 */
export const tell = (kind: EventKind, people: string, at: string) =>
	`INSERT INTO ${EVENT} (id, kind, who, at, state, next_at)
	SELECT '', '${kind}', email_key, at, 'new', ''
	FROM (SELECT DISTINCT email_key, ${at} AS at FROM ${people}) AS told
	WHERE EXISTS (SELECT 1 ${RECEIVED})`;

/** A person who is erased. */
export interface Erased {
	key: string;
	/** What events call them: see person.ts. */
	person: string;
	/** The address as typed. */
	email: string;
}

/**
 * Statements that tell of erased people, in the transaction that erases them. What was not told of them
 * yet never is, and nothing of ours holds their address any more, unless the receiver has to be told by
 * it: then until the receiver was.
 */
export function tellErased(
	{ jsonRows, insertOrder }: Dialect,
	erased: readonly Erased[],
	at: string,
): Statement[] {
	const rows = JSON.stringify(erased.map(({ key, person, email }) => [key, person, email]));
	const isTheirs = `who IN (SELECT value->>0 FROM ${jsonRows})`;
	const drop = `DELETE FROM ${EVENT} WHERE ${isTheirs} AND`;
	return [
		// In the order of an event's states: the sender may take one up in between.
		statement(`${drop} state = 'new'`, rows),
		statement(`${drop} state <> 'new' AND state <> 'sending'`, rows),
		// What is on its way comes first, and is told by the same name.
		statement(
			`UPDATE ${EVENT} SET who = (SELECT value->>1 FROM ${jsonRows} WHERE value->>0 = who)
			WHERE state = 'sending' AND ${isTheirs}`,
			rows,
		),
		statement(
			`INSERT INTO ${EVENT} (id, kind, who, email, at, state, next_at)
			SELECT '', 'erased', value->>1,
				CASE WHEN (SELECT body FROM ${WEBHOOK}) = 'full' THEN value->>2 ELSE '' END, $2, 'new', ''
			FROM ${jsonRows} WHERE EXISTS (SELECT 1 ${RECEIVED}) ${insertOrder && "ORDER BY value->>1"}`,
			...[rows, at],
		),
	];
}

/** Whether another system is told of people by their address. */
export async function isToldAddresses(query: Query): Promise<boolean> {
	return (await query(`SELECT 1 AS one ${RECEIVED} AND body = 'full'`)).length > 0;
}

/**
 * Notes that this server has an address for events. An address that ended stays ended.
 *
 * @param address a hash of it: the address may hold a secret
 */
export async function openWebhook(
	{ run }: Pick<SharedDatabase, "run">,
	{ address, body }: { address: string; body: WebhookBody },
): Promise<void> {
	const sql = `INSERT INTO ${WEBHOOK} (one, address, body) VALUES (1, $1, $2)
		ON CONFLICT (one) DO UPDATE SET address = excluded.address, body = excluded.body,
			ended_at = CASE ${WEBHOOK}.address WHEN excluded.address THEN ${WEBHOOK}.ended_at ELSE '' END,
			rest_until = '', failures = 0`;
	await run({ opened: statement(sql, address, body) });
}

/**
 * Notes that this server has none, and drops what was not told.
 *
 * @returns how many events; undefined where there was no address before
 */
export async function closeWebhook({
	query,
	run,
}: Pick<SharedDatabase, "query" | "run">): Promise<number | undefined> {
	if (!(await readWebhook(query))) return undefined;
	const { dropped } = await run({
		dropped: statement(`DELETE FROM ${EVENT} RETURNING id`),
		closed: statement(`DELETE FROM ${WEBHOOK}`),
	});
	return dropped.length;
}

/** How the receiver of events is. */
export interface Webhook {
	body: WebhookBody;
	/** When it said that it wants no more (410), ISO 8601; "" where it did not. */
	endedAt: string;
	/** Until when nothing is sent to it, ISO 8601. */
	restUntil: string;
	/** Messages in a row that it did not take. */
	failures: number;
}

/** @returns undefined where no server has an address for events */
export async function readWebhook(query: Query): Promise<Webhook | undefined> {
	const [row] = await query<Webhook>(
		`SELECT body, ended_at AS "endedAt", rest_until AS "restUntil", failures FROM ${WEBHOOK}`,
	);
	return row;
}

/** How many events wait, or are on their way, and how many are given up. */
export async function countEvents(query: Query): Promise<{ waiting: number; failed: number }> {
	const count = (where: string) =>
		`CAST((SELECT count(*) FROM ${EVENT} WHERE ${where}) AS INTEGER)`;
	// Each of its index.
	const waiting = ["new", "waiting", "sending"].map((state) => count(`state = '${state}'`));
	const [counts] = await query<{ waiting: number; failed: number }>(
		`SELECT ${waiting.join(" + ")} AS waiting, ${count("state = 'failed'")} AS failed`,
	);
	return counts!;
}

/** An event that was given up. It says nothing of its person. */
export interface FailedEvent {
	id: string;
	kind: EventKind;
	at: string;
	attempts: number;
	code: string;
}

/** The events that were given up, the oldest first. */
export function readFailed(query: Query, most: number): Promise<FailedEvent[]> {
	return query(
		`SELECT id, kind, at, attempts, code FROM ${EVENT} WHERE state = 'failed'
		ORDER BY next_at, seq LIMIT ${most}`,
	);
}

/** Gives all of them ten tries more, also after the receiver has ended. Gives how many. */
export async function replayFailed(
	{ run }: Pick<SharedDatabase, "run">,
	now: string,
): Promise<number> {
	const { waiting } = await run({
		opened: statement(`UPDATE ${WEBHOOK} SET ended_at = '', rest_until = '', failures = 0`),
		waiting: statement(
			`UPDATE ${EVENT} SET state = 'waiting', attempts = 0, next_at = $1
			WHERE state = 'failed' RETURNING id`,
			now,
		),
	});
	return waiting.length;
}
