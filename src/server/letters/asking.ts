import { statement } from "../database/database.ts";
import { type Dialect, postgres } from "../database/dialect.ts";
import { insertStatement } from "../waitlist/registrations.ts";
import type { Joining } from "../waitlist/waitlist.ts";
import { NOT_TO_ASK, personOf } from "./who-may.ts";

/** So often may a person be asked to confirm, however often somebody types their address. */
export const MOST_ASKS = 3;

/** The least time between two of these letters, however long the first one waited to be sent. */
const BETWEEN_ASKS_MS = 15 * 60_000;

/** SQL for the registration of a person who may be asked to confirm, and never was. */
export const UNASKED = `NOT EXISTS (
	SELECT 1 FROM letter WHERE letter.email_key = registration.email_key
		AND kind = 'confirm' AND wave = ''
) AND NOT EXISTS (${personOf("registration")} AND ${NOT_TO_ASK})`;

/**
 * SQL that asks people to confirm who were never asked.
 *
 * @param time when they are asked, in SQL
 * @param people rows that have their keys, in SQL: what follows FROM
 */
export const askFirst = (time: string, people: string) =>
	`INSERT INTO letter (kind, wave, email_key, state, asked_at, next_at)
		SELECT 'confirm', '', email_key, 'waiting', ${time}, ${time} FROM ${people}
		ON CONFLICT (email_key, kind, wave) DO NOTHING`;

/**
 * Asks people to confirm their address, in the transaction that puts them on the list: no letter is
 * for a person who is not on it, and nobody is forgotten.
 *
 * A first letter goes to whoever joined with this batch, unless the trap has marked them. Joining
 * again brings another one to those who have had one, but never before {@link BETWEEN_ASKS_MS} and
 * {@link MOST_ASKS} letters in all, and never to those who have left: the statement decides, so that
 * any number of copies of the server may ask at the same time. How many letters one mailbox gets,
 * however its address is spelled, is decided as they are sent, and so is whether its person has left
 * by another spelling: see mailbox.ts.
 */
export function joinAndAsk(dialect: Dialect, now = Date.now): Joining {
	if (dialect === postgres) {
		// One statement: with four, of which each waits for the answer to the one before, a server took
		// half as many joins a second.
		const insert = insertStatement(dialect, "email_key, created_at, flags");
		const again = askAgain(dialect, "value->>0 NOT IN (SELECT email_key FROM added)");
		const sql = `WITH added AS (${insert}),
			asked AS (${askFirst("created_at", "added WHERE flags = ''")}),
			again AS (${again("", 0).sql})
			SELECT email_key AS "key" FROM added`;
		return (rows) => ({ added: statement(sql, ...again(rows, now()).parameters!) });
	}
	const again = askAgain(dialect);
	const insert = insertStatement(dialect);
	// A registration that has the time of its row came with this batch.
	const joined = `${dialect.jsonRows}
		JOIN registration ON email_key = value->>0 AND created_at = value->>3
		WHERE flags = ''`;
	const ask = askFirst("created_at", joined);
	return (rows) => ({
		added: statement(insert, rows),
		asked: statement(ask, rows),
		again: again(rows, now()),
	});
}

/**
 * Asks once more whoever may be asked, of the people whose keys come first in the rows of a JSON
 * array.
 *
 * @param only which of them, in SQL
 */
export function askAgain({ jsonRows, insertOrder }: Dialect, only = "true") {
	const sql = `UPDATE letter
		SET state = 'waiting', asks = asks + 1, asked_at = $2, next_at = $2, version = '',
			attempts = 0, id = '', ended_at = '', code = ''
		WHERE kind = 'confirm' AND wave = '' AND email_key IN (
			SELECT letter.email_key FROM ${jsonRows}
			JOIN letter ON kind = 'confirm' AND wave = '' AND letter.email_key = value->>0
			WHERE ${only} AND held = 0 AND state IN ('accepted', 'refused', 'unknown')
				AND asks < ${MOST_ASKS} AND asked_at <= $3 AND ended_at <= $3
				AND NOT EXISTS (${personOf("letter")} AND ${NOT_TO_ASK})
			${insertOrder && "ORDER BY letter.email_key FOR UPDATE OF letter"}
		)`;
	return (rows: string, now: number) => {
		const [asked, earlier] = [now, now - BETWEEN_ASKS_MS].map((ms) => new Date(ms).toISOString());
		return statement(sql, rows, asked!, earlier!);
	};
}
