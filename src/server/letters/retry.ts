import type { Database, Query } from "../database/database.ts";
import { type Dialect, keysAsJson, keysOf, ofPeople } from "../database/dialect.ts";
import { HELD } from "./letter.ts";
import { UNWANTED } from "./who-may.ts";

/** A letter that may have arrived. */
export interface UnknownLetter {
	email: string;
	kind: string;
	/** When its sender was last heard of, ISO 8601. */
	time: string;
}

/** The letters of which nobody knows whether they arrived, the earliest first. */
export function unknownLetters(query: Query): Promise<UnknownLetter[]> {
	return query(
		`SELECT email, kind, ended_at AS time FROM letter
		JOIN registration ON registration.email_key = letter.email_key
		WHERE state = 'unknown' ORDER BY ended_at, letter.email_key`,
	);
}

/** How many unknown letters nobody wants any more. */
export async function countUnwanted(query: Query): Promise<number> {
	const [row] = await query<{ letters: number }>(
		`SELECT CAST(count(*) AS INTEGER) AS letters FROM letter
		WHERE state = 'unknown' AND ${UNWANTED}`,
	);
	return row!.letters;
}

/** How many refused letters {@link retryLetters} would send again, by the keys of their people. */
export async function countRefused(
	query: Query,
	dialect: Dialect,
	keys: readonly string[],
): Promise<Map<string, number>> {
	const refused = await query<{ key: string; letters: number }>(
		`SELECT email_key AS "key", CAST(count(*) AS INTEGER) AS letters FROM letter
		WHERE state = 'refused' AND NOT ${UNWANTED}
			AND ${ofPeople(dialect)}
		GROUP BY email_key`,
		[keysAsJson(keys)],
	);
	return new Map(refused.map(({ key, letters }) => [key, letters]));
}

/**
 * Lets letters wait again that were refused or are unknown, under the ids that they have.
 *
 * @param keys of the people; all letters that are unknown without
 * @returns the key of its person for each letter
 */
export async function retryLetters(
	database: Database,
	keys: readonly string[] | undefined,
	now: Date,
): Promise<string[]> {
	const some = `state IN ('unknown', 'refused')
		AND ${ofPeople(database.dialect)}`;
	const retried = await database.transaction((query) =>
		query<{ key: string }>(
			`UPDATE letter SET state = 'waiting', held = held & ${HELD.byWave}, attempts = 0,
				ended_at = '', code = '', next_at = ${keys ? "$2" : "$1"}
			WHERE ${keys ? some : "state = 'unknown'"} AND NOT ${UNWANTED}
			RETURNING email_key AS "key"`,
			[...(keys ? [keysAsJson(keys)] : []), now.toISOString()],
		),
	);
	return keysOf(retried);
}
