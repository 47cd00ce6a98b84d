import { type Statement, statement } from "../database/database.ts";
import { type Dialect, keysAsJson, postgres, sqlite } from "../database/dialect.ts";
import { batchOf, type EventKind, tell, writeBatches } from "../events/event.ts";
import {
	added,
	insertStatement,
	type Registration,
	rowsAsJson,
	unflagRejoined,
	withAdded,
} from "./registrations.ts";
import type { Joining } from "./waitlist.ts";

/** SQL that tells on PostgreSQL of those who joined, beside the statement `added`, which gives them. */
export const TELL_ADDED = `, told AS (${tell(postgres, "joined", "added", "created_at")})`;

/** SQL for the same on SQLite, just after the statement that adds a batch. */
const TELL_JOINED = writeBatches(
	"joined",
	`SELECT $3 AS at, $2 AS people, json_array_length($2) AS size
	WHERE changes() = json_array_length($2)
	UNION ALL ${batchOf(
		sqlite,
		`SELECT DISTINCT email_key, created_at AS at FROM ${added(sqlite)}
		WHERE changes() < json_array_length($2)`,
	)}`,
);

/**
 * Tells on SQLite of those who joined. The list of people comes along, because SQLite takes longer to make
 * it; only where the statement before did not add all of them, it looks for those whom it added.
 *
 * @param rows the batch, as `rowsAsJson` gives it
 */
export function tellJoined(rows: string, registrations: readonly Registration[]): Statement {
	const keys = registrations.map(({ key }) => key);
	return statement(TELL_JOINED, rows, keysAsJson(keys), registrations.at(-1)?.createdAt ?? "");
}

/** Adds a batch, and tells of whoever joined with it, in the same transaction. */
export function joinAndTell(dialect: Dialect): Joining {
	const isPostgres = dialect === postgres;
	const sql = isPostgres ? withAdded(dialect, TELL_ADDED) : insertStatement(dialect);
	return (registrations) => {
		const rows = rowsAsJson(registrations);
		return {
			added: statement(sql, rows),
			...(!isPostgres && {
				told: tellJoined(rows, registrations),
				unflagged: unflagRejoined(dialect, rows),
			}),
		};
	};
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
	return statement(tell(dialect, kind, people, "$2"), keysAsJson(keys), at);
}
