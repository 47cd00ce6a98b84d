import { randomBytes } from "node:crypto";
import { type Statement, sql, type Tx } from "../database/sql.ts";

export interface AuditEntry {
	at: string;
	/** Distinguishes actions in the same millisecond. */
	id: string;
	/** An admin session's name, or {@link COMMAND_SESSION}. */
	session: string;
	action: string;
	details: string;
}

export const COMMAND_SESSION = "command";

const FIELDS = sql`at, id, session, action, details`;

/** Replaces anything that may be an address: audit trail and log outlive deletions. */
export const withoutAddresses = (text: string) => text.replace(/\S*@\S*/g, "(address)");

/** Returns a statement that records an action: run it in the action's transaction. */
export function auditStatement(
	{ session, action, details = "" }: Pick<AuditEntry, "session" | "action"> & { details?: string },
	now: Date,
): Statement {
	const id = randomBytes(8).toString("hex");
	// An action may run this in each of its transactions, but is recorded once.
	return sql`INSERT INTO audit (${FIELDS})
		VALUES (${now.toISOString()}, ${id}, ${session}, ${action}, ${withoutAddresses(details)})
		ON CONFLICT (at, id) DO NOTHING`;
}

/** Reads the audit trail, latest action first. @param before returns only earlier actions */
export function readAudit(
	tx: Tx,
	before: Pick<AuditEntry, "at" | "id"> | undefined,
	most: number,
): Promise<AuditEntry[]> {
	return tx.all(sql<AuditEntry>`SELECT ${FIELDS} FROM audit
		${before ? sql`WHERE (at, id) < (${before.at}, ${before.id})` : sql``}
		ORDER BY at DESC, id DESC LIMIT ${most}`);
}
