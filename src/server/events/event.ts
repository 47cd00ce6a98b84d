import {
	type Query,
	type SharedDatabase,
	type Statement,
	statement,
} from "../database/database.ts";
import { type Dialect, firstsOf } from "../database/dialect.ts";
import { EVENT, EVENT_BATCH, WEBHOOK } from "../database/schema.ts";
import type { WebhookBody } from "../settings/telling.ts";

/*
 * The tables `webhook` (one row while the server has an address for events), `event_batch` (what happened)
 * and `event` (what the receiver is told, or did not take). Whoever changes something writes a batch in the
 * same transaction, whatever its process: the row of `webhook` decides, so that a command in a shell
 * without the settings tells as well.
 *
 *   transactions   [joined ada, bob, eve]  [left bob]  …      a row each
 *   sender         ada joined │ bob joined │ eve joined │ …   a row each, as many as go out now
 *
 * With a row, an id and an index for each event, joins in full batches ran at 0.54 of their rate on SQLite;
 * with a row in one index, at 0.83.
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
 * SQL that writes batches, where another system is told.
 *
 * @param batches SQL for the `people` of each, JSON, its `size`, and `at`, when it happened, ISO 8601
 */
export const writeBatches = (kind: EventKind, batches: string) =>
	`INSERT INTO ${EVENT_BATCH} (kind, at, people, size) SELECT '${kind}', at, people, size
	FROM (${batches}) AS batch WHERE size > 0 AND EXISTS (SELECT 1 ${RECEIVED})`;

/** SQL for a batch of people: rows with `email_key` and `at`, of which the latest counts. */
export const batchOf = ({ jsonList }: Dialect, people: string) =>
	`SELECT max(at) AS at, ${jsonList("email_key")} AS people, count(*) AS size FROM (${people}) AS told`;

/**
 * SQL that writes what happened to some people, where another system is told.
 *
 * @param people rows with `email_key`, in SQL: what follows FROM
 * @param at when it happened, ISO 8601, in SQL
 */
export const tell = (dialect: Dialect, kind: EventKind, people: string, at: string) =>
	writeBatches(kind, batchOf(dialect, `SELECT DISTINCT email_key, ${at} AS at FROM ${people}`));

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
export function tellErased(dialect: Dialect, erased: readonly Erased[], at: string): Statement[] {
	const { jsonRows, jsonRowsOf, jsonList } = dialect;
	const email = `CASE (SELECT body FROM ${WEBHOOK}) WHEN 'full' THEN value->>2 ELSE '' END`;
	const rows = JSON.stringify(erased.map(({ key, person, email }) => [key, person, email]));
	const theirs = firstsOf(dialect);
	const isTheirs = `who IN ${theirs}`;
	const people = jsonRowsOf("people");
	return [
		// Batches come first: the sender may make events of one in between.
		statement(
			`UPDATE ${EVENT_BATCH} SET (people, size) = (
				SELECT COALESCE(${jsonList("value->>0")}, '[]'), count(*)
				FROM ${people} WHERE value->>0 NOT IN ${theirs}
			) WHERE kind <> 'erased' AND EXISTS (SELECT 1 FROM ${people} WHERE value->>0 IN ${theirs})`,
			rows,
		),
		statement(`DELETE FROM ${EVENT} WHERE ${isTheirs} AND state <> 'sending'`, rows),
		// What is on its way comes first, and is told by the same name.
		statement(
			`UPDATE ${EVENT} SET who = (SELECT value->>1 FROM ${jsonRows} WHERE value->>0 = who)
			WHERE state = 'sending' AND ${isTheirs}`,
			rows,
		),
		statement(
			writeBatches(
				"erased",
				`SELECT $2 AS at, ${jsonList("value->>1", email)} AS people, count(*) AS size
				FROM ${jsonRows}`,
			),
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
	const { waiting, failed } = await countEvents(query);
	await run({
		batches: statement(`DELETE FROM ${EVENT_BATCH}`),
		events: statement(`DELETE FROM ${EVENT}`),
		closed: statement(`DELETE FROM ${WEBHOOK}`),
	});
	return waiting + failed;
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
	// Each of its index.
	const count = (state: string) => `(SELECT count(*) FROM ${EVENT} WHERE state = '${state}')`;
	const waiting = `(SELECT COALESCE(sum(size), 0) FROM ${EVENT_BATCH})
		+ ${count("waiting")} + ${count("sending")}`;
	const [counts] = await query<{ waiting: number; failed: number }>(
		`SELECT CAST(${waiting} AS INTEGER) AS waiting, CAST(${count("failed")} AS INTEGER) AS failed`,
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
