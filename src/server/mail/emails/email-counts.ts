import type { SharedDatabase } from "../../database/database.ts";
import { countRows } from "../../database/rows.ts";
import type { Query } from "../../database/statement.ts";
import { txOver } from "../../database/transaction.ts";
import type { Queue } from "../rate/queues.ts";
import { isWanted, readLost } from "./resend.ts";

/** How many emails a wave has. */
export const countEmailsOf = (query: Query, wave: string) =>
	countRows(query, "email WHERE wave = $1 AND wave <> ''", [wave]);

/** How many unknown emails a retry would not send. */
export async function countUnwanted({ query, dialect }: Pick<SharedDatabase, "query" | "dialect">) {
	return (await readLost(txOver(query, dialect), {})).filter((email) => !isWanted(email)).length;
}

/** How many emails may have gone out after the backup that was restored. */
export const countAssumed = (query: Query) =>
	countRows(query, "email WHERE state = 'unknown' AND reason = 'assumed'");

/** How many emails wait and are not held; with a time, how many of these are due by then. */
export function countToSend(query: Query, due?: Date): Promise<number> {
	const unsent = "email WHERE held = 0 AND state IN ('waiting', 'deferred')";
	if (!due) return countRows(query, unsent);
	return countRows(query, `${unsent} AND next_at <= $1`, [due.toISOString()]);
}

/** SQL for emails that are still to be sent and held, in the words of their index. */
const IS_HELD = "held <> 0 AND state IN ('waiting', 'deferred')";

/** Emails that are still to be sent, and are held. */
export interface HeldCounts {
	/** Until `waitlist resume`. */
	byOperator: number;
	/** By the pause of their wave. */
	byWave: number;
}

/** Counts what is held. */
export async function countHeld(query: Query): Promise<HeldCounts> {
	const byWave = await countRows(
		query,
		`email WHERE ${IS_HELD} AND wave IN (SELECT name FROM wave WHERE state = 'paused')`,
	);
	return { byOperator: (await countRows(query, `email WHERE ${IS_HELD}`)) - byWave, byWave };
}

/** Emails of a kind and a queue that can be sent. */
export interface Waiting {
	kind: string;
	queue: Queue;
	letters: number;
	/** When the first one was asked for, and the last one can be sent. */
	oldest: string;
	latest: string;
}

/** Counts what waits and is not held. */
export const countWaiting = (query: Query): Promise<Waiting[]> =>
	query(`SELECT kind, queue, CAST(count(*) AS INTEGER) AS letters,
			min(asked_at) AS oldest, max(next_at) AS latest
		FROM email WHERE held = 0 AND state IN ('waiting', 'deferred')
		GROUP BY kind, queue ORDER BY kind, queue`);
