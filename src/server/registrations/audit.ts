import { randomBytes } from "node:crypto";
import { type Statement, sql, type Tx } from "../database/sql.ts";

/** One action of the founder. */
export interface Done {
	/** ISO 8601 in UTC with milliseconds. */
	at: string;
	/** Tells apart actions of the same millisecond. */
	id: string;
	/** The admin session, or {@link COMMAND}. */
	session: string;
	action: string;
	/** A count, the name of a wave, or empty. */
	details: string;
}

/** The session of the command line. */
export const COMMAND = "command";

const FIELDS = sql`at, id, session, action, details`;

/** Leaves out what may be an address: the trail and the log outlive deletions. */
export const withoutAddresses = (text: string) => text.replace(/\S*@\S*/g, "(address)");

/** Returns the statement that records an action, for the transaction that does it. */
export function noteInAudit(
	{ session, action, details = "" }: Pick<Done, "session" | "action"> & { details?: string },
	now: Date,
): Statement {
	const id = randomBytes(8).toString("hex");
	// An action may need several transactions.
	return sql`INSERT INTO audit (${FIELDS})
		VALUES (${now.toISOString()}, ${id}, ${session}, ${action}, ${withoutAddresses(details)})
		ON CONFLICT (at, id) DO NOTHING`;
}

/** Reads the trail before a place in it, the latest action first. */
export function readAudit(
	tx: Tx,
	before: Pick<Done, "at" | "id"> | undefined,
	most: number,
): Promise<Done[]> {
	return tx.all(sql<Done>`SELECT ${FIELDS} FROM audit
		${before ? sql`WHERE (at, id) < (${before.at}, ${before.id})` : sql``}
		ORDER BY at DESC, id DESC LIMIT ${most}`);
}
