import { type Dialect, keysAsJson, ofPeople } from "../../database/dialect.ts";
import { isAnyRow } from "../../database/rows.ts";
import { keysIn, sql } from "../../database/sql.ts";
import type { Query } from "../../database/statement.ts";
import { columns, type EmailRow, SHOWN_CODE } from "./email.ts";

/** Whether there is any letter. */
export const hasEmails = (query: Query) => isAnyRow(query, "email");

/** The letters of people, in the order of kind and wave. */
export function emailsOf(
	query: Query,
	dialect: Dialect,
	keys: readonly string[],
): Promise<EmailRow[]> {
	return query(
		`SELECT ${columns.map(([field, column]) => `${column} AS "${field}"`).join(", ")} FROM email
		WHERE ${ofPeople(dialect)} ORDER BY kind, wave`,
		[keysAsJson(keys)],
	);
}

/** Ends the emails to people who have unsubscribed, as a copy brings both in. */
export const refuseOfLeft = (dialect: Dialect, keys: readonly string[], now: Date) =>
	sql`UPDATE email SET state = 'refused', reason = 'left', held = 0, ended_at = ${now.toISOString()}
		WHERE state IN ('waiting', 'deferred') AND email_key IN ${keysIn({ dialect }, keys)} AND EXISTS (
			SELECT 1 FROM registration WHERE registration.email_key = email.email_key
				AND (unsubscribed_at >= email.asked_at OR (email.held <> 0 AND unsubscribed_at <> ''))
		)`;

/** A letter that the mail server puts off, or put off until it was given up. */
export interface TroubledEmail {
	email: string;
	kind: string;
	state: string;
	/** The codes of the last answer, as in `550 5.7.1`, the name of an error, or a {@link Reason}. */
	code: string;
	attempts: number;
	/** When it is tried again, or was given up, ISO 8601. */
	time: string;
}

/** The last `most` letters that were put off or given up, the latest first. */
export function troubledEmails(
	query: Query,
	{ mostTries, most }: { mostTries: number; most: number },
): Promise<TroubledEmail[]> {
	const last = (which: string) =>
		`SELECT * FROM (SELECT email_key, kind, state, ${SHOWN_CODE} AS code, attempts, next_at FROM email
			WHERE ${which} ORDER BY next_at DESC, email_key LIMIT ${most}) AS last`;
	return query(
		`SELECT registration.email, kind, state, code, attempts, next_at AS time FROM (
			${last("state = 'deferred'")}
			UNION ALL ${last(`state = 'refused' AND attempts >= ${mostTries}`)}
		) AS troubled JOIN registration ON registration.email_key = troubled.email_key
		ORDER BY next_at DESC, email LIMIT ${most}`,
	);
}

/** A letter that may have arrived. */
export interface UnknownEmail {
	email: string;
	kind: string;
	/** When its sender was last heard of, ISO 8601. */
	time: string;
}

/** The letters of which nobody knows whether they arrived, the earliest first. */
export function unknownEmails(query: Query): Promise<UnknownEmail[]> {
	return query(
		`SELECT registration.email, kind, ended_at AS time FROM email
		JOIN registration ON registration.email_key = email.email_key
		WHERE state = 'unknown' ORDER BY ended_at, email.email_key`,
	);
}
