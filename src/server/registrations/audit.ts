import { randomBytes } from "node:crypto";
import { type Statement, sql, type Tx } from "../database/sql.ts";

/** One action of the founder. */
export interface Done {
	/** ISO 8601 in UTC with milliseconds. */
	at: string;
	/** Tells apart actions of the same millisecond. */
	id: string;
	/** The name of the admin session, or {@link COMMAND}. */
	session: string;
	action: string;
	/** A count or the name of a wave, or empty. */
	details: string;
}

/** The session of the command line. */
export const COMMAND = "command";

const FIELDS = sql`at, id, session, action, details`;

/** Leaves out what may be an address: the trail and the log outlive deletions. */
export const withoutAddresses = (text: string) => text.replace(/\S*@\S*/g, "(address)");

/**
 * The statement that records an action. Run it in the transaction that does it, so that the trail and the
 * data never disagree.
 */
export function noteInAudit(
	{ session, action, details = "" }: Pick<Done, "session" | "action"> & { details?: string },
	now: Date,
): Statement {
	const id = randomBytes(8).toString("hex");
	// An action in several transactions is one entry.
	return sql`INSERT INTO audit (${FIELDS})
		VALUES (${now.toISOString()}, ${id}, ${session}, ${action}, ${withoutAddresses(details)})
		ON CONFLICT (at, id) DO NOTHING`;
}

/** Reads the trail, the latest first, before a place in it. */
export function readAudit(
	tx: Tx,
	before: Pick<Done, "at" | "id"> | undefined,
	most: number,
): Promise<Done[]> {
	return tx.all(sql<Done>`SELECT ${FIELDS} FROM audit
		${before ? sql`WHERE (at, id) < (${before.at}, ${before.id})` : sql``}
		ORDER BY at DESC, id DESC LIMIT ${most}`);
}
