import type { Query } from "../database/database.ts";
import { type Dialect, keysAsJson, ofPeople } from "../database/dialect.ts";
import { ASSUMED, columns, isAssumed, type StoredLetter, UNSENT } from "./letter.ts";

type Column = (typeof columns)[number][1];

const NAMES = columns.map(([, column]) => column);

/** SQL for a column of a row in JSON. */
function ofRow(column: Column): string {
	const n = NAMES.indexOf(column);
	return `CAST(value->>${n} AS ${columns[n]![2]})`;
}

/** Whether there is any letter. */
export async function hasLetters(query: Query): Promise<boolean> {
	return (await query("SELECT 1 AS one FROM letter LIMIT 1")).length > 0;
}

/** How many letters there are. */
export async function countLetters(query: Query): Promise<number> {
	const [row] = await query<{ total: number }>(
		"SELECT CAST(count(*) AS INTEGER) AS total FROM letter",
	);
	return row!.total;
}

/** The letters of people, in the order of kind and wave. */
export function lettersOf(
	query: Query,
	dialect: Dialect,
	keys: readonly string[],
): Promise<StoredLetter[]> {
	return query(
		`SELECT ${columns.map(([field, column]) => `${column} AS "${field}"`).join(", ")} FROM letter
		WHERE ${ofPeople(dialect)} ORDER BY kind, wave`,
		[keysAsJson(keys)],
	);
}

/**
 * SQL for whether a row knows more of a letter than the database: it was asked for once more, or how
 * it ended. What waits here for nothing but its turn is ours to send. A row that only assumes knows
 * nothing of a letter that is there, and where the database itself only assumes, any other row knows
 * more.
 *
 * @param row SQL for a column of the row
 */
function knowsMore(row: (column: Column) => string): string {
	return `(${row("asked_at")} > letter.asked_at OR (${row("asked_at")} = letter.asked_at AND (
		(letter.held <> 0 AND ${UNSENT} AND ${row("state")} NOT IN ('waiting', 'deferred')
			AND ${row("code")} <> '${ASSUMED}')
		OR (letter.state = 'unknown' AND ${row("state")} IN ('accepted', 'refused'))
		OR (${isAssumed("letter")} AND ${row("code")} <> '${ASSUMED}')
	)) OR ${row("redeemed_at")} > letter.redeemed_at)`;
}

/** SQL for a column of a letter of which a row knows more. A code that was redeemed is worth nothing. */
function mergedValue(column: Column): string {
	const [row, ours] = [`excluded.${column}`, `letter.${column}`];
	return column === "redeemed_at" ? `CASE WHEN ${row} > ${ours} THEN ${row} ELSE ${ours} END` : row;
}

/**
 * Adds letters, each once. Those that are there stay, unless these know more of them.
 *
 * @returns how many were added or changed
 */
export async function mergeLetters(
	query: Query,
	{ jsonRows, insertOrder }: Dialect,
	letters: readonly StoredLetter[],
): Promise<number> {
	if (letters.length === 0) return 0;
	const merged = await query(
		`INSERT INTO letter (${NAMES.join(", ")})
		SELECT ${NAMES.map(ofRow).join(", ")} FROM ${jsonRows} WHERE true ${insertOrder}
		ON CONFLICT (email_key, kind, wave) DO UPDATE
		SET ${NAMES.slice(3).map((column) => `${column} = ${mergedValue(column)}`)}
		WHERE ${knowsMore((column) => `excluded.${column}`)} RETURNING email_key`,
		[asRows(letters)],
	);
	return merged.length;
}

/** How many of these letters are there with all that these know of them. */
export async function countKeptLetters(
	query: Query,
	{ jsonRows }: Dialect,
	letters: readonly StoredLetter[],
): Promise<number> {
	const [row] = await query<{ kept: number }>(
		`SELECT CAST(count(*) AS INTEGER) AS kept FROM ${jsonRows} JOIN letter ON letter.email_key = value->>0
			AND kind = value->>1 AND wave = value->>2
		WHERE NOT ${knowsMore(ofRow)}`,
		[asRows(letters)],
	);
	return row!.kept;
}

/** Deletes all letters of people. */
export async function deleteLetters(
	query: Query,
	dialect: Dialect,
	keys: readonly string[],
): Promise<void> {
	await query(`DELETE FROM letter WHERE ${ofPeople(dialect)}`, [keysAsJson(keys)]);
}

function asRows(letters: readonly StoredLetter[]): string {
	return JSON.stringify(letters.map((row) => columns.map(([field]) => row[field])));
}
