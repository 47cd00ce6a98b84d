import { countRows } from "../../database/rows.ts";
import { sql } from "../../database/sql.ts";
import type { Tx } from "../../database/transaction.ts";
import { isWanted, readLost } from "./resend.ts";

/** How many emails a wave has. */
export const countEmailsOf = (tx: Tx, wave: string) =>
	countRows(tx, sql`email WHERE wave = ${wave} AND wave <> ''`);

/** How many unknown emails a retry would not send. */
export async function countUnwanted(tx: Tx) {
	return (await readLost(tx, {})).filter((email) => !isWanted(email)).length;
}

/** How many emails may have gone out after the backup that was restored. */
export const countAssumed = (tx: Tx) =>
	countRows(tx, sql`email WHERE state = 'unknown' AND reason = 'assumed'`);

/** How many emails wait and are not held; with a time, how many of these are due by then. */
export function countToSend(tx: Tx, due?: Date): Promise<number> {
	const unsent = sql`email WHERE held = 0 AND state IN ('waiting', 'deferred')`;
	if (!due) return countRows(tx, unsent);
	return countRows(tx, sql`${unsent} AND next_at <= ${due.toISOString()}`);
}

/** SQL for emails that are still to be sent and held, in the words of their index. */
const IS_HELD = sql`held <> 0 AND state IN ('waiting', 'deferred')`;

/** Emails that are still to be sent, and are held. */
export interface HeldCounts {
	/** Until `waitlist resume`. */
	byOperator: number;
	/** By the pause of their wave. */
	byWave: number;
}

/** Counts what is held. */
export async function countHeld(tx: Tx): Promise<HeldCounts> {
	const byWave = await countRows(
		tx,
		sql`email WHERE ${IS_HELD} AND wave IN (SELECT name FROM wave WHERE state = 'paused')`,
	);
	return { byOperator: (await countRows(tx, sql`email WHERE ${IS_HELD}`)) - byWave, byWave };
}
