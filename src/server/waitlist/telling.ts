import { type Statement, statement } from "../database/database.ts";
import { type Dialect, keysAsJson, postgres } from "../database/dialect.ts";
import { type EventKind, tell } from "../events/event.ts";
import { addedBefore, insertStatement, withAdded } from "./registrations.ts";
import type { Joining } from "./waitlist.ts";

/** SQL that tells on SQLite of those who joined with a batch: the statement after the one that adds it. */
export const tellJoined = (dialect: Dialect) => tell("joined", addedBefore(dialect), "created_at");

/** The same on PostgreSQL, beside the statement `added`, which gives those who are new. */
export const TELL_ADDED = `, told AS (${tell("joined", "added", "created_at")})`;

/** Adds a batch, and tells of whoever joined with it, in the same transaction. */
export function joinAndTell(dialect: Dialect): Joining {
	if (dialect === postgres) {
		const sql = withAdded(dialect, TELL_ADDED);
		return (rows) => ({ added: { sql, parameters: [rows] } });
	}
	const [insert, told] = [insertStatement(dialect), tellJoined(dialect)];
	return (rows) => ({ added: statement(insert, rows), told: statement(told, rows) });
}

/**
 * Tells of people on the list.
 *
 * @param at when it happened, ISO 8601
 */
export function tellOf(
	dialect: Dialect,
	kind: EventKind,
	keys: readonly string[],
	at: string,
): Statement {
	const people = `registration JOIN ${dialect.jsonRows} ON email_key = value->>0`;
	return statement(tell(kind, people, "$2"), keysAsJson(keys), at);
}
