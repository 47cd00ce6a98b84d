import { randomBytes } from "node:crypto";
import { type Statement, sql } from "../database/sql.ts";
import type { Tx } from "../database/transaction.ts";

/** One thing that was done by the founder. */
export interface Done {
	/** ISO 8601 in UTC with milliseconds. */
	at: string;
	/** Tells apart what was done in the same millisecond. */
	id: string;
	/** The name of the session, or {@link COMMAND}. */
	session: string;
	/** What was done, in words. */
	action: string;
	/** What it was done to, without an address; may be empty. */
	details: string;
}

/** The session of what the operator's command does to the office. */
export const COMMAND = "command";

/** A place in the audit trail: the next page begins after it. */
export type AuditPlace = Pick<Done, "at" | "id">;

const FIELDS = sql`at, id, session, action, details`;

/** The same text without what may be an address: the trail and the log outlive erasures. */
export const withoutAddresses = (text: string) => text.replace(/\S*@\S*/g, "(address)");

/**
 * The statement that notes what somebody does by the founder. Run it in the transaction that does it, so
 * that nothing is done without a note, and nothing noted that was not done.
 *
 * @param action as a person reads it: `letters held`
 * @param details a count or the name of a wave. An address in it is left out: the trail outlives erasures.
 */
export function noteInAudit(
	{ session, action, details = "" }: Pick<Done, "session" | "action"> & { details?: string },
	now: Date,
): Statement {
	const id = randomBytes(8).toString("hex");
	return sql`INSERT INTO audit (${FIELDS})
		VALUES (${now.toISOString()}, ${id}, ${session}, ${action}, ${withoutAddresses(details)})`;
}

/**
 * What was done, the latest first.
 *
 * @param before where to go on; undefined for the latest
 */
export function readAudit(tx: Tx, before: AuditPlace | undefined, most: number): Promise<Done[]> {
	return tx.all(sql<Done>`SELECT ${FIELDS} FROM audit
		${before ? sql`WHERE (at, id) < (${before.at}, ${before.id})` : sql``}
		ORDER BY at DESC, id DESC LIMIT ${most}`);
}
