import { randomUUID } from "node:crypto";
import type { SharedDatabase } from "../database/database.ts";
import { joinSql, sql, type Tx } from "../database/sql.ts";
import { DAY_MS, isoOf, latestCredible } from "../time.ts";
import { LEASE_MS } from "./claim-emails.ts";
import type { EmailAttempt } from "./emails/email.ts";
import { lockOutbox, QUEUES, saveOutbox, toSend } from "./rate/outbox-row.ts";
import {
	LONGEST_PAUSE_MS,
	type Pause,
	pauseForTrouble,
	readPause,
	type Trouble,
} from "./rate/pauses.ts";
import { type Turn, type TurnInput, takeTurn } from "./take-turn.ts";

/** The queue of emails in the database, which copies of the server share. */
export interface Outbox {
	/** Whether a turn has something to do, and the pause if there is one. */
	look(): Promise<{ due: boolean; pause: Pause | undefined }>;
	turn(
		attempts: readonly EmailAttempt[],
		most: number,
		also?: Partial<Pick<TurnInput, "mostUnconfirmed" | "suspects">>,
	): Promise<Turn>;
	/** Pauses, longer each time until an email is accepted. Returns whether a pause began. */
	rest(trouble: Trouble): Promise<boolean>;
}

interface OutboxSettings extends Partial<Pick<TurnInput, "rate" | "ramp">> {
	/** Stores the words of emails, before an email is recorded that has them. */
	keepWords?: () => Promise<void>;
	now?: () => number;
}

export function openOutbox(database: SharedDatabase, settings: OutboxSettings): Outbox {
	const { rate, ramp, keepWords, now = Date.now } = settings;
	let isMended = false;
	const copy = randomUUID();
	let turns = 0;

	return {
		async look() {
			const ms = now();
			if (!isMended) await database.transact(endLateWaits, ms);
			isMended = true;
			const due = await isAnyDue(database, isoOf(ms));
			const pause = await readPause(database, new Date(ms));
			return { due, pause: pause ?? undefined };
		},
		async turn(attempts, most, { mostUnconfirmed = most, suspects = [] } = {}) {
			if (attempts.length > 0) await keepWords?.();
			const turn = await database.transact(takeTurn, {
				claim: `${copy} ${turns}`,
				now: now(),
				attempts,
				most,
				mostUnconfirmed,
				suspects,
				rate,
				ramp,
			});
			turns += 1;
			return turn;
		},
		rest: (trouble) => database.transact(pauseForTrouble, { trouble, now: now() }),
	};
}

async function isAnyDue(tx: Tx, now: string): Promise<boolean> {
	const due = QUEUES.map(
		(queue) => sql`EXISTS (SELECT 1 FROM email WHERE ${toSend(queue)} AND next_at <= ${now})`,
	);
	const row = await tx.first(sql<{ due: number }>`SELECT CASE WHEN ${joinSql(due, " OR ")}
		OR EXISTS (SELECT 1 FROM email WHERE state = 'sending' AND lease_until < ${now})
		THEN 1 ELSE 0 END AS due`);
	return row!.due === 1;
}

/** Ends waits that a clock that was ahead has written: they are longer than any. */
export async function endLateWaits(tx: Tx, now: number): Promise<void> {
	const latest = (longestMs: number) => latestCredible(new Date(now + longestMs));
	const outbox = await lockOutbox(tx);
	const isPausedLong = outbox.cause !== "operator" && outbox.pausedUntil > latest(LONGEST_PAUSE_MS);
	await saveOutbox(tx, {
		...outbox,
		pausedUntil: isPausedLong ? isoOf(now) : outbox.pausedUntil,
		releasedAt: outbox.releasedAt > latest(0) ? isoOf(now) : outbox.releasedAt,
		steppedAt: outbox.steppedAt > latest(0) ? isoOf(now) : outbox.steppedAt,
	});
	await tx.all(sql`UPDATE email SET next_at = ${isoOf(now)}
		WHERE queue = 'requested' AND held = 0 AND state IN ('waiting', 'deferred')
			AND next_at > ${latest(LONGEST_PAUSE_MS)} AND attempts <= 3`);
	await tx.all(sql`UPDATE email SET next_at = ${isoOf(now)}
		WHERE state = 'deferred' AND next_at > ${latest(4 * DAY_MS)}`);
	await tx.all(sql`UPDATE email SET lease_until = ${isoOf(now)}
		WHERE state = 'sending' AND lease_until > ${latest(LEASE_MS)}`);
}
