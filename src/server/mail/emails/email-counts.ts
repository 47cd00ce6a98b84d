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
