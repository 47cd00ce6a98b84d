import { type Dialect, keysAsJson, ofPeople, postgres } from "../../database/dialect.ts";
import { statement } from "../../database/statement.ts";
import { furthest, isOver } from "../../database/waits.ts";
import { personOf } from "../../registrations/recipients.ts";
import {
	addedUnmarked,
	HAS_EARNED_FLAG,
	IS_UNFLAGGED_ROW,
	insertJoined,
	insertStatement,
	rowsAsJson,
	unflagEarned,
	unflagRejoined,
	withAdded,
} from "../../registrations/registrations.ts";
import type { Joining } from "../../registrations/waitlist.ts";
import { ASK_ADDED, askFirst, askFor, NOT_ADDED } from "./letter-changes.ts";
import { letterTo } from "./letters.ts";
import { NOT_TO_ASK, type RequestedKind } from "./reachable.ts";

/** Letters that ask a person to confirm, however often somebody types the address. */
export const MOST_ASKS = 3;

/** The least time between two of these letters, however long the first one waited to be sent. */
const BETWEEN_ASKS_MS = 15 * 60_000;

/** SQL for the registration of a person who may be asked to confirm, and never was. */
export const UNASKED = `NOT EXISTS (
	${letterTo("registration")} AND kind = 'confirm' AND wave = ''
) AND NOT EXISTS (${personOf("registration")} AND ${NOT_TO_ASK})`;

/**
 * Asks people to confirm their address, in the transaction that puts them on the list: no letter is
 * for a person who is not on it, and nobody is forgotten.
 *
 * Everybody who joins with this batch and is not marked gets a first letter, and so does everybody whose
 * flag it takes back. Joining again brings another one, but not within {@link BETWEEN_ASKS_MS}, at most
 * {@link MOST_ASKS} in all, and never after leaving. A flagged join brings none.
 * The statement decides, so any number of copies of the server may ask concurrently. What counts by mailbox,
 * whatever the spelling of its address, is decided as letters are sent: see mailbox.ts.
 */
export function joinAndAsk(dialect: Dialect, now = Date.now): Joining {
	if (dialect === postgres) {
		// One statement: with four, of which each waits for the answer to the one before, a server took
		// half as many joins a second.
		const again = askAgain(dialect, `${IS_UNFLAGGED_ROW} AND ${NOT_ADDED}`);
		const sql = withAdded(dialect, `, ${ASK_ADDED}, again AS (${again("", 0).sql})`);
		return (registrations) => ({
			added: statement(sql, ...again(rowsAsJson(registrations), now()).parameters!),
		});
	}
	// Nobody of a batch is asked again if all of it were asked just now: 0.9 instead of 2.2 µs for a row.
	const again = askAgain(dialect, `${IS_UNFLAGGED_ROW} AND changes() < json_array_length($1)`);
	const [insert, insertEvents] = [insertStatement(dialect), insertJoined(dialect)];
	const ask = askFirst("created_at", addedUnmarked(dialect));
	return (registrations) => {
		const rows = rowsAsJson(registrations);
		return {
			added: statement(insert, rows),
			events: statement(insertEvents, rows),
			// Just before `again`, which counts the letters of this one.
			asked: statement(ask, rows),
			again: again(rows, now()),
			// After `again`, which asks those who have a flag.
			unflagged: unflagRejoined(dialect, rows),
		};
	};
}

/** SQL for a person who was asked to confirm before, or was not only because of a flag that is taken back. */
const MAY_CONFIRM = `(${HAS_EARNED_FLAG} OR EXISTS (
	${letterTo("registration")} AND kind = 'confirm' AND wave = ''
))`;

/** Asks people to confirm who join again or ask for a new link. @param only which of them, in SQL */
const askAgain = (dialect: Dialect, only: string) =>
	request(dialect, "confirm", `${only} AND ${MAY_CONFIRM}`);

/** Makes the email of a kind due that people request, who `may`, within the limits of one person. */
function request(dialect: Dialect, kind: RequestedKind, may: string) {
	const mayAgain = `letter.asks < ${MOST_ASKS} AND ${isOver("letter.asked_at", "$3", "$4")} AND ${isOver("letter.ended_at", "$3", "$4")}`;
	const sql = askFor(dialect, kind, { may, mayAgain });
	return (rows: string, now: number) => {
		const [asked, earlier] = [now, now - BETWEEN_ASKS_MS].map((ms) => new Date(ms).toISOString());
		return statement(sql, rows, asked!, earlier!, furthest(now, 0));
	};
}

/**
 * What the forms that ask for a link do: the statements for one person, the same for those who are not on
 * the list. Asking for a link to confirm takes back the flag of an earlier join, as joining does. A flag keeps
 * nobody from unsubscribing.
 */
export function requestLink(dialect: Dialect) {
	// Leaves out who is being erased.
	const only = `email_key IN (
		SELECT email_key FROM registration WHERE ${ofPeople(dialect)} ${dialect.takeRows}
	)`;
	const confirm = askAgain(dialect, only);
	const unsubscribe = request(dialect, "unsubscribe", only);
	return (kind: RequestedKind, key: string, now: number) => {
		const rows = keysAsJson([key]);
		if (kind === "unsubscribe") return { asked: unsubscribe(rows, now) };
		return {
			asked: confirm(rows, now),
			unflagged: unflagEarned(dialect, ofPeople(dialect), rows),
		};
	};
}
