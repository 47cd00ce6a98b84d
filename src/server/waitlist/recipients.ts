import type { Query } from "../database/database.ts";
import { countWhere, type Dialect, keysAsJson, ofPeople } from "../database/dialect.ts";

/** A person as the letters see them. Times are ISO 8601 in UTC with milliseconds; '' is never. */
export interface Recipient {
	key: string;
	/** What links carry instead of the address, 32 hexadecimal digits; '' where one is to be made. */
	id: string;
	confirmedAt: string;
	/** `button`, `operator` or `import`. */
	confirmedBy: string;
	leftAt: string;
	bouncedAt: string;
	/** The codes of the answer that said so, as in `550 5.1.1`. */
	bounce: string;
}

/** Each field of a recipient with its column, in the order of a row. */
const columns = [
	["key", "email_key"],
	["id", "id"],
	["confirmedAt", "confirmed_at"],
	["confirmedBy", "confirmed_by"],
	["leftAt", "left_at"],
	["bouncedAt", "bounced_at"],
	["bounce", "bounce"],
] as const satisfies readonly (readonly [keyof Recipient, string])[];

type Column = (typeof columns)[number][1];

const NAMES = columns.map(([, column]) => column);

/** A person of whom nothing is known yet. */
export function recipientOf(key: string, known: Partial<Recipient> = {}): Recipient {
	const nothing = { id: "", confirmedAt: "", confirmedBy: "", leftAt: "", bouncedAt: "" };
	return { key, ...nothing, bounce: "", ...known };
}

/** Whether there is anybody whom a letter was sent to, or who has left or bounced. */
export async function hasRecipients(query: Query): Promise<boolean> {
	return (await query("SELECT 1 AS one FROM recipient LIMIT 1")).length > 0;
}

/** How letters stand with people. */
export interface RecipientCounts {
	/** They confirmed, and have not left since. */
	confirmed: number;
	left: number;
	bounced: number;
}

/** Counts recipients. Whoever has left may have bounced before. */
export async function countRecipients(query: Query): Promise<RecipientCounts> {
	const [counts] = await query<RecipientCounts>(
		`SELECT ${countWhere("confirmed_at <> '' AND left_at = ''")} AS confirmed,
			${countWhere("left_at <> ''")} AS "left", ${countWhere("bounced_at <> ''")} AS bounced
		FROM recipient`,
	);
	return counts!;
}

/** The recipients among people, in any order. */
export function recipientsOf(
	query: Query,
	dialect: Dialect,
	keys: readonly string[],
): Promise<Recipient[]> {
	return query(
		`SELECT ${columns.map(([field, column]) => `${column} AS "${field}"`).join(", ")} FROM recipient
		WHERE ${ofPeople(dialect)}`,
		[keysAsJson(keys)],
	);
}

/**
 * SQL for whether a row knows something that the recipient does not. Whoever has confirmed since
 * has not left, and no longer bounces.
 *
 * @param row SQL for a column of the row
 */
function knowsMore(row: (column: Column) => string): string {
	const isNews = (column: Column) =>
		`(${row(column)} > recipient.${column} AND ${row(column)} > recipient.confirmed_at)`;
	return `(${(["confirmed_at", "left_at", "bounced_at"] as const).map(isNews).join(" OR ")})`;
}

/** SQL for the later one of two times, of a row that comes in and of the one that is there. */
const later = (column: Column) =>
	`CASE WHEN excluded.${column} > recipient.${column} THEN excluded.${column} ELSE recipient.${column} END`;

/** SQL for the text that belongs to the later one of two times. */
const ofLater = (time: Column, column: Column) =>
	`CASE WHEN excluded.${time} > recipient.${time} THEN excluded.${column} ELSE recipient.${column} END`;

/** SQL for what a confirmation ends: it counts only when it came after. */
const unlessConfirmed = (time: Column, value: string) =>
	`CASE WHEN (${later(time)}) > (${later("confirmed_at")}) THEN ${value} ELSE '' END`;

/**
 * Adds recipients, each key once. Of those that are there the later facts win, so that the order in
 * which facts come does not matter. Their id stays.
 */
export async function mergeRecipients(
	query: Query,
	{ jsonRows, insertOrder, randomId }: Dialect,
	recipients: readonly Recipient[],
): Promise<void> {
	if (recipients.length === 0) return;
	await query(
		`INSERT INTO recipient (${NAMES.join(", ")})
		SELECT value->>0, CASE value->>1 WHEN '' THEN ${randomId} ELSE value->>1 END,
			${NAMES.slice(2).map((_, n) => `value->>${n + 2}`)}
		FROM ${jsonRows} WHERE true ${insertOrder}
		ON CONFLICT (email_key) DO UPDATE SET
			confirmed_at = ${later("confirmed_at")},
			confirmed_by = ${ofLater("confirmed_at", "confirmed_by")},
			left_at = ${unlessConfirmed("left_at", later("left_at"))},
			bounced_at = ${unlessConfirmed("bounced_at", later("bounced_at"))},
			bounce = ${unlessConfirmed("bounced_at", ofLater("bounced_at", "bounce"))}
		WHERE ${knowsMore((column) => `excluded.${column}`)}`,
		[asRows(recipients)],
	);
}

/** Takes back that these people bounced. Gives those who had, and when they left, if ever. */
export function takeBackBounces(
	query: Query,
	dialect: Dialect,
	keys: readonly string[],
): Promise<Pick<Recipient, "key" | "leftAt">[]> {
	return query(
		`UPDATE recipient SET bounced_at = '', bounce = ''
		WHERE bounced_at <> '' AND ${ofPeople(dialect)}
		RETURNING email_key AS "key", left_at AS "leftAt"`,
		[keysAsJson(keys)],
	);
}

/** How many of these recipients are there with all that these know of them. */
export async function countKeptRecipients(
	query: Query,
	{ jsonRows }: Dialect,
	recipients: readonly Recipient[],
): Promise<number> {
	const [row] = await query<{ kept: number }>(
		`SELECT CAST(count(*) AS INTEGER) AS kept FROM ${jsonRows} JOIN recipient ON recipient.email_key = value->>0
		WHERE NOT ${knowsMore((column) => `value->>${NAMES.indexOf(column)}`)}`,
		[asRows(recipients)],
	);
	return row!.kept;
}

/** Deletes what is known of people as recipients. */
export async function deleteRecipients(
	query: Query,
	dialect: Dialect,
	keys: readonly string[],
): Promise<void> {
	await query(`DELETE FROM recipient WHERE ${ofPeople(dialect)}`, [keysAsJson(keys)]);
}

function asRows(recipients: readonly Recipient[]): string {
	return JSON.stringify(recipients.map((row) => columns.map(([field]) => row[field])));
}
