import { hash } from "node:crypto";
import { raw, sql } from "../database/sql.ts";
import type { Tx } from "../database/transaction.ts";
import { DAY_MS, isoOf } from "../time.ts";
import { MOST_WAIT_MS } from "./post.ts";

/** The row of the table `webhook`, which exists while a server has an address for events. */
export interface Webhook {
	/** When the receiver answered 410, ISO 8601; "" if it did not. */
	endedAt: string;
	/** Until when nothing is sent, ISO 8601. */
	restUntil: string;
	/** Failures in a row. */
	failures: number;
}

/** @returns undefined if no server has an address for events */
export async function readWebhook(tx: Tx): Promise<Webhook | undefined> {
	const [row] = await tx.all(
		sql<Webhook>`SELECT ended_at AS "endedAt", rest_until AS "restUntil", failures FROM webhook`,
	);
	return row;
}

/** Whether another system has the addresses of people. */
export async function hasWebhook(tx: Tx): Promise<boolean> {
	return (await readWebhook(tx))?.endedAt === "";
}

/**
 * Starts the writing of events. The address may hold a secret, and is kept as a hash: one that ended stays
 * ended. Events that wait too long, by a clock that was ahead, are due now.
 */
export async function openWebhook(
	tx: Tx,
	{ url, now }: { url: string; now: number },
): Promise<void> {
	await tx.all(sql`INSERT INTO webhook (one, address) VALUES (1, ${hash("sha256", url)})
		ON CONFLICT (one) DO UPDATE SET address = excluded.address,
			ended_at = CASE webhook.address WHEN excluded.address THEN webhook.ended_at ELSE '' END,
			rest_until = '', failures = 0`);
	await tx.all(sql`UPDATE event SET next_at = ${isoOf(now)}
		WHERE state IN ('waiting', 'sending') AND next_at > ${isoOf(now + MOST_WAIT_MS)}
			AND (attempts <= 4 OR next_at > ${isoOf(now + DAY_MS)})`);
}

/** Ends the writing of events, and drops those that were not delivered. Returns how many. */
export async function closeWebhook(tx: Tx): Promise<number> {
	if (!(await readWebhook(tx))) return 0;
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

/** Gives all of them ten attempts more, also after a 410. Returns how many. */
export async function replayFailed(tx: Tx, now: string): Promise<number> {
	await tx.all(sql`UPDATE webhook SET ended_at = '', rest_until = '', failures = 0`);
	const waiting =
		await tx.all(sql`UPDATE event SET state = 'waiting', attempts = 0, next_at = ${now}
		WHERE state = 'failed' RETURNING id`);
	return waiting.length;
}
