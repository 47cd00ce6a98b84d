import { randomUUID } from "node:crypto";
import type { SharedDatabase } from "../database/database.ts";
import { joinSql, sql } from "../database/sql.ts";
import type { Tx } from "../database/transaction.ts";
import { isoOf } from "../time.ts";
import type { EmailAttempt } from "./emails/email.ts";
import { endLateWaits } from "./late-waits.ts";
import { type Pause, pauseForTrouble, readPause, type Trouble } from "./rate/pauses.ts";
import { QUEUES, toSend } from "./rate/queues.ts";
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
	/** Keeps the words of emails, before an email is recorded as one that has them. */
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

/** Whether an email is due, or was lost by its sender. */
async function isAnyDue(tx: Tx, now: string): Promise<boolean> {
	const due = QUEUES.map(
		(queue) => sql`EXISTS (SELECT 1 FROM email WHERE ${toSend(queue)} AND next_at <= ${now})`,
	);
	const row = await tx.first(sql<{ due: number }>`SELECT CASE WHEN ${joinSql(due, " OR ")}
		OR EXISTS (SELECT 1 FROM email WHERE state = 'sending' AND lease_until < ${now})
		THEN 1 ELSE 0 END AS due`);
	return row!.due === 1;
}
