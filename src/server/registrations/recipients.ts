import { type Dialect, keysAsJson, ofPeople } from "../database/dialect.ts";
import { isAnyRow } from "../database/rows.ts";
import { prepare, type Query, statement } from "../database/statement.ts";

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
	/** Version of the page whose button they pressed to confirm; '' where nobody knows. */
	page: string;
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
	["page", "page"],
] as const satisfies readonly (readonly [keyof Recipient, string])[];

type Column = (typeof columns)[number][1];

const NAMES = columns.map(([, column]) => column);

/** A person of whom nothing is known yet. */
export function recipientOf(key: string, known: Partial<Recipient> = {}): Recipient {
	const nothing = { id: "", confirmedAt: "", confirmedBy: "", leftAt: "", bouncedAt: "" };
	return { key, ...nothing, bounce: "", page: "", ...known };
}

/** SQL for the recipient of a row's person, for EXISTS. A person who was never written to may have none. */
export const personOf = (row: "letter" | "registration" | "ended") =>
	`SELECT 1 FROM recipient WHERE recipient.email_key = ${row}.email_key`;

/**
 * Who has left: SQL for a recipient who gets no letter until they come back by a link of their own. Each
 * turn asks it as it takes a letter, whatever was known before.
 */
export const HAS_LEFT = "left_at <> ''";

/** SQL for a recipient whose address does not exist, as a mail server said. */
export const HAS_BOUNCED = "bounced_at <> ''";

/** SQL for a recipient whom our letters reach, as they said themselves. */
export const HAS_CONFIRMED = "confirmed_at <> ''";

/** They confirmed, and have not left since: in the words of the index. */
const IS_CONFIRMED = `${HAS_CONFIRMED} AND left_at = ''`;

/** Whether there is anybody whom a letter was sent to, or who has left or bounced. */
export const hasRecipients = (query: Query) => isAnyRow(query, "recipient");

/** How letters stand with people. */
export interface RecipientCounts {
	/** They confirmed, and have not left since. */
	confirmed: number;
	left: number;
	bounced: number;
}

/** Counts recipients, each number by an index of its own. Whoever has left may have bounced before. */
export async function countRecipients(query: Query): Promise<RecipientCounts> {
	const count = (where: string) =>
		`CAST((SELECT count(*) FROM recipient WHERE ${where}) AS INTEGER)`;
	const [counts] = await query<RecipientCounts>(
		`SELECT ${count(IS_CONFIRMED)} AS confirmed,
			${count(HAS_LEFT)} AS "left", ${count(HAS_BOUNCED)} AS bounced`,
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
function hasNews(row: (column: Column) => string): string {
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
	dialect: Dialect,
	recipients: readonly Recipient[],
): Promise<void> {
	if (recipients.length === 0) return;
	const { jsonRows, insertOrder, randomId } = dialect;
	await query(
		`INSERT INTO recipient (${NAMES.join(", ")})
		SELECT value->>0, CASE value->>1 WHEN '' THEN ${randomId} ELSE value->>1 END,
			${NAMES.slice(2).map((_, n) => `value->>${n + 2}`)}
		FROM ${jsonRows} WHERE true ${insertOrder}
		ON CONFLICT (email_key) DO UPDATE SET
			confirmed_at = ${later("confirmed_at")},
			confirmed_by = ${ofLater("confirmed_at", "confirmed_by")},
			page = ${ofLater("confirmed_at", "page")},
			left_at = ${unlessConfirmed("left_at", later("left_at"))},
			bounced_at = ${unlessConfirmed("bounced_at", later("bounced_at"))},
			bounce = ${unlessConfirmed("bounced_at", ofLater("bounced_at", "bounce"))}
		WHERE ${hasNews((column) => `excluded.${column}`)}`,
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
		WHERE ${HAS_BOUNCED} AND ${ofPeople(dialect)}
		RETURNING email_key AS "key", left_at AS "leftAt"`,
		[keysAsJson(keys)],
	);
}

/** Gives an id to people who have none, and leaves out who is being erased. @param rows as keysAsJson gives them */
export const meetPeople = (dialect: Dialect, rows: string) =>
	statement(
		`INSERT INTO recipient (email_key, id)
		SELECT email_key, ${dialect.randomId} FROM registration
		WHERE ${ofPeople(dialect)} ${dialect.takeRows}
		ON CONFLICT (email_key) DO NOTHING`,
		rows,
	);

/** A person as a link in a letter names them. */
export interface LinkedPerson {
	/** What links carry instead of an address: 32 random hexadecimal digits. */
	id: string;
	key: string;
	/** When they last said that our letters reach them, and when they left; ISO 8601 or empty. */
	confirmedAt: string;
	leftAt: string;
}

/** The person of an id. */
export const findById = prepare<[id: string], LinkedPerson>(
	`SELECT id, confirmed_at AS "confirmedAt", left_at AS "leftAt", email_key AS "key"
	FROM recipient WHERE id = $1`,
);

/** Confirms by the button of a page. A letter has arrived: what bounced before no longer counts. */
export const confirmById = prepare<
	[id: string, now: string, page: string],
	{ key: string }
>(`UPDATE recipient
	SET confirmed_at = $2, confirmed_by = 'button', page = $3, left_at = '', bounced_at = '',
		bounce = ''
	WHERE id = $1 AND (confirmed_at = '' OR left_at <> '') RETURNING email_key AS "key"`);

/** SQL that notes a bounce at `$2` with its code in `$3`. @param which of the people, in SQL */
export const noteBounceOf = (which: string) =>
	`UPDATE recipient SET bounced_at = $2, bounce = $3 WHERE ${which}`;

/** People who have left and whose mailbox is not noted, so many at most. */
export const unnotedLeft = (most: number) =>
	statement<{ key: string }>(`SELECT email_key AS "key" FROM recipient
		WHERE ${HAS_LEFT} AND mailbox = '' LIMIT ${most}`);

/**
 * Notes mailboxes: the sender does, so that nothing that brings people who have left (a button, a restore,
 * an import, an earlier version) has to know of mailboxes. A person who comes back keeps theirs, because
 * only `left_at` says who has left.
 *
 * @param rows JSON: key, hash of the mailbox
 */
export const noteMailbox = ({ jsonRows }: Dialect, rows: string) =>
	statement(
		`UPDATE recipient SET mailbox = value->>1 FROM ${jsonRows} WHERE email_key = value->>0`,
		rows,
	);

/** Forgets all mailboxes, as their hashes are of another secret. */
export const forgetMailboxes = prepare<[]>("UPDATE recipient SET mailbox = '' WHERE mailbox <> ''");

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
