import type { LetterState } from "../../letters/letter.ts";
import { UNSENT } from "../../letters/outbox.ts";
import { type Dialect, keysAsJson } from "../../waitlist/schema.ts";
import type { Query } from "./database.ts";

/** A letter with its state. Times are ISO 8601 in UTC with milliseconds; '' is never. */
export interface StoredLetter {
	key: string;
	kind: string;
	wave: string;
	/** 32 hexadecimal digits; '' until it is first sent. */
	id: string;
	state: LetterState;
	/** Who keeps it from being sent, as in `HELD`; 0 is nobody. */
	held: number;
	version: string;
	askedAt: string;
	asks: number;
	nextAt: string;
	attempts: number;
	claim: string;
	leaseUntil: string;
	endedAt: string;
	code: string;
	/** Of an invitation: when its code expires, and when it was redeemed. */
	expiresAt: string;
	redeemedAt: string;
}

/** Each field of a letter with its column and type, in the order of a row. */
const columns = [
	["key", "email_key", "TEXT"],
	["kind", "kind", "TEXT"],
	["wave", "wave", "TEXT"],
	["id", "id", "TEXT"],
	["state", "state", "TEXT"],
	["held", "held", "INT"],
	["version", "version", "TEXT"],
	["askedAt", "asked_at", "TEXT"],
	["asks", "asks", "INT"],
	["nextAt", "next_at", "TEXT"],
	["attempts", "attempts", "INT"],
	["claim", "claim", "TEXT"],
	["leaseUntil", "lease_until", "TEXT"],
	["endedAt", "ended_at", "TEXT"],
	["code", "code", "TEXT"],
	["expiresAt", "expires_at", "TEXT"],
	["redeemedAt", "redeemed_at", "TEXT"],
] as const satisfies readonly (readonly [keyof StoredLetter, string, string])[];

type Column = (typeof columns)[number][1];

const NAMES = columns.map(([, column]) => column);

/** SQL for a column of a row in JSON. */
function ofRow(column: Column): string {
	const n = NAMES.indexOf(column);
	return `CAST(value->>${n} AS ${columns[n]![2]})`;
}

/** SQL for a letter whose person gets none: they left, bounced, or have nothing left to confirm or redeem. */
export const UNWANTED = `(EXISTS (
	SELECT 1 FROM recipient WHERE recipient.email_key = letter.email_key AND (
		left_at <> '' OR bounced_at <> '' OR (letter.kind = 'confirm' AND confirmed_at <> '')
	)
) OR letter.redeemed_at <> '')`;

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
	{ jsonRows }: Dialect,
	keys: readonly string[],
): Promise<StoredLetter[]> {
	return query(
		`SELECT ${columns.map(([field, column]) => `${column} AS "${field}"`).join(", ")} FROM letter
		WHERE email_key IN (SELECT value->>0 FROM ${jsonRows}) ORDER BY kind, wave`,
		[keysAsJson(keys)],
	);
}

/**
 * SQL for whether a row knows more of a letter than the database: it was asked for once more, or how
 * it ended. What waits here without being held is ours to send.
 *
 * @param row SQL for a column of the row
 */
function knowsMore(row: (column: Column) => string): string {
	return `(${row("asked_at")} > letter.asked_at OR (${row("asked_at")} = letter.asked_at AND (
		(letter.held <> 0 AND ${UNSENT} AND ${row("state")} NOT IN ('waiting', 'deferred'))
		OR (letter.state = 'unknown' AND ${row("state")} IN ('accepted', 'refused'))
	)) OR ${row("redeemed_at")} > letter.redeemed_at)`;
}

/** SQL for a column of a letter of which a row knows more. A code that was redeemed is worth nothing. */
function merged(column: Column): string {
	const [row, ours] = [`excluded.${column}`, `letter.${column}`];
	return column === "redeemed_at" ? `CASE WHEN ${row} > ${ours} THEN ${row} ELSE ${ours} END` : row;
}

/** Adds letters, each once. Those that are there stay, unless these know more of them. */
export async function mergeLetters(
	query: Query,
	{ jsonRows, insertOrder }: Dialect,
	letters: readonly StoredLetter[],
): Promise<void> {
	if (letters.length === 0) return;
	await query(
		`INSERT INTO letter (${NAMES.join(", ")})
		SELECT ${NAMES.map(ofRow).join(", ")} FROM ${jsonRows} WHERE true ${insertOrder}
		ON CONFLICT (email_key, kind, wave) DO UPDATE
		SET ${NAMES.slice(3).map((column) => `${column} = ${merged(column)}`)}
		WHERE ${knowsMore((column) => `excluded.${column}`)}`,
		[asRows(letters)],
	);
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

/** Ends letters to people who have left: held ones, and those that were asked for before. */
export async function refuseOfLeft(
	query: Query,
	{ jsonRows }: Dialect,
	keys: readonly string[],
	now: Date,
): Promise<void> {
	await query(
		`UPDATE letter SET state = 'refused', code = 'left', held = 0, ended_at = $2
		WHERE ${UNSENT} AND email_key IN (
			SELECT recipient.email_key FROM ${jsonRows}
			JOIN recipient ON recipient.email_key = value->>0
			WHERE left_at <> '' AND (letter.held <> 0 OR left_at >= letter.asked_at)
		)`,
		[keysAsJson(keys), now.toISOString()],
	);
}

function asRows(letters: readonly StoredLetter[]): string {
	return JSON.stringify(letters.map((row) => columns.map(([field]) => row[field])));
}
