import { raw, sql } from "../database/sql.ts";
import type { Tx } from "../database/transaction.ts";
import { isoOf } from "../time.ts";
import { MOST_WAIT_MS } from "./post.ts";

/** Whether a server has an address for events: then the table has its only row. */
export const hasWebhook = async (tx: Tx): Promise<boolean> =>
	(await tx.first(sql`SELECT one FROM webhook`)) !== undefined;

/** Starts the writing of events. Events that wait too long, by a clock that was ahead, are due now. */
export async function openWebhook(tx: Tx, now: number): Promise<void> {
	await tx.all(sql`INSERT INTO webhook (one) VALUES (1) ON CONFLICT (one) DO NOTHING`);
	await tx.all(sql`UPDATE event SET next_at = ${isoOf(now)}
		WHERE state IN ('waiting', 'sending') AND next_at > ${isoOf(now + MOST_WAIT_MS)}`);
}

/** Ends the writing of events, and drops those that were not delivered. Returns how many. */
export async function closeWebhook(tx: Tx): Promise<number> {
	if (!(await hasWebhook(tx))) return 0;
	const { waiting, failed } = await countEvents(tx);
	await tx.all(sql`DELETE FROM event`);
	await tx.all(sql`DELETE FROM webhook`);
	return waiting + failed;
}

/** How many events wait or are being sent, and how many were given up. */
export async function countEvents(tx: Tx): Promise<{ waiting: number; failed: number }> {
	// Each from its index.
	const count = (state: "waiting" | "sending" | "failed") =>
		sql`(SELECT count(*) FROM event WHERE state = ${raw(`'${state}'`)})`;
	const [counts] = await tx.all(sql<{
		waiting: number;
		failed: number;
	}>`SELECT CAST(${count("waiting")} + ${count("sending")} AS INTEGER) AS waiting,
			CAST(${count("failed")} AS INTEGER) AS failed`);
	return counts!;
}

/** The events that were given up, oldest first, without their people. */
export const readFailed = (tx: Tx, most: number) =>
	tx.all(sql<{
		id: string;
		kind: string;
		at: string;
		attempts: number;
		code: string;
	}>`SELECT id, kind, at, attempts, code FROM event WHERE state = 'failed'
		ORDER BY next_at, seq LIMIT ${most}`);

/** Gives all of them new attempts. Returns how many. */
export async function replayFailed(tx: Tx, now: string): Promise<number> {
	const waiting =
		await tx.all(sql`UPDATE event SET state = 'waiting', attempts = 0, next_at = ${now}
		WHERE state = 'failed' RETURNING id`);
	return waiting.length;
}
