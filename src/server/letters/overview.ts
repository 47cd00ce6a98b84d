import type { Query } from "../database/database.ts";
import { STREAMS, toSend } from "./pace/stream.ts";
import { MOST_TRIES } from "./sending/sender.ts";

/** How many letters of a kind are in a state. */
export interface CountedLetters {
	kind: string;
	state: string;
	count: number;
}

/** Counts all letters. */
export function countByState(query: Query): Promise<CountedLetters[]> {
	return query(
		`SELECT kind, state, CAST(count(*) AS INTEGER) AS count FROM letter
		GROUP BY kind, state ORDER BY kind, state`,
	);
}

/** How many letters are to be sent that nobody holds; with a time, those that are due by then. */
export async function countToSend(query: Query, due?: Date): Promise<number> {
	const also = due ? "AND next_at <= $1" : "";
	const counts = STREAMS.map(
		(stream) => `(SELECT count(*) FROM letter WHERE ${toSend(stream)} ${also})`,
	);
	const [row] = await query<{ letters: number }>(
		`SELECT CAST(${counts.join(" + ")} AS INTEGER) AS letters`,
		due ? [due.toISOString()] : [],
	);
	return row!.letters;
}

/** A letter that the mail server puts off, or put off until it was given up. */
export interface TroubledLetter {
	email: string;
	kind: string;
	state: string;
	/** The codes of the last answer, as in `550 5.7.1`, or the name of an error. */
	code: string;
	attempts: number;
	/** When it is tried again, or was given up, ISO 8601. */
	time: string;
}

/** These letters, the latest first: at most so many. */
export function troubledLetters(query: Query, most: number): Promise<TroubledLetter[]> {
	return query(
		`SELECT email, kind, state, code, attempts, next_at AS time FROM letter
		JOIN registration ON registration.email_key = letter.email_key
		WHERE state = 'deferred' OR (state = 'refused' AND attempts >= ${MOST_TRIES})
		ORDER BY next_at DESC, email LIMIT ${most}`,
	);
}
