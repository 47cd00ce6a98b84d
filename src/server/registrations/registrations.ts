import { canonicalEmail, EMAIL_MAX_LENGTH } from "#shared/email.ts";
import { asciiDomain } from "../ascii-domain.ts";
import type { Database } from "../database/database.ts";
import { type Dialect, keysAsJson, keysOf, ofPeople } from "../database/dialect.ts";
import { inPages } from "../database/rows.ts";
import { collect, type Query, statement } from "../database/statement.ts";
import { Refusal } from "../refusal.ts";
import { latestCredible } from "../time.ts";
import { insertEventsSql } from "../webhooks/event.ts";
import type { Operation } from "./operation.ts";

/** A checked address on its way to the database. */
export interface Registration {
	/** The canonical address: two registrations with one key are the same person. */
	key: string;
	/** The address as typed, without the space around it. */
	email: string;
	/** The label of the site it came from. */
	source: string;
	/** When the server received it, ISO 8601 in UTC with milliseconds. */
	createdAt: string;
	/** What was shown: the day of the legal texts, and the version of the form (wordings.ts). */
	terms: string;
	/** Why no wave writes to this person: `honeypot`, `burst`, `operator`, or empty. */
	flags: string;
}

/** Each field of a registration with its column, in the order of {@link valuesOf}. */
const columns = [
	["key", "email_key"],
	["email", "email"],
	["source", "source"],
	["createdAt", "created_at"],
	["terms", "terms"],
	["flags", "flags"],
] as const satisfies readonly (readonly [keyof Registration, string])[];

/** The flag of a join whose hidden field was filled in. */
export const HONEYPOT = "honeypot";

/** The flag of a join over the limit of its address or network. `honeypot` wins over it. */
export const BURST = "burst";

/** The flag that the operator gives. */
export const BY_OPERATOR = "operator";

/** The flags that a join earns. The person's next join without one takes it back. */
const EARNED_FLAGS: readonly string[] = [HONEYPOT, BURST];

/** SQL for a registration with such a flag. */
export const HAS_EARNED_FLAG = `flags IN (${EARNED_FLAGS.map((flag) => `'${flag}'`).join(", ")})`;

/** SQL for a row of {@link rowsAsJson} without a flag. */
export const IS_UNFLAGGED_ROW = `value->>${columns.findIndex(([field]) => field === "flags")} = ''`;

/** SQL for a registration with a flag. SQLite uses the index of flags only for its own condition. */
const hasFlag = (flag: string) => `(flags <> '' AND flags = '${flag}')`;

/** SQL for a registration in a burst. */
export const IS_BURST = hasFlag(BURST);

/** The flags by which exports can be filtered. */
export const FLAG_FILTERS = [BURST, HONEYPOT, BY_OPERATOR, "any", "none"] as const;
type FlagFilter = (typeof FLAG_FILTERS)[number];

function flagIs(flag: FlagFilter): string {
	if (flag === "any") return "flags <> ''";
	return flag === "none" ? "flags = ''" : hasFlag(flag);
}

/** For SELECT: the columns of a registration under the names of its fields. */
const FIELDS = columns.map(([field, column]) => `${column} AS "${field}"`).join(", ");

/** A key that no address has: there is no at sign in it. It is as long as the longest. */
const PROBE_KEY = "probe".padEnd(EMAIL_MAX_LENGTH, "-");

/** Adds a row that is as large as the largest, to see whether the next join would find room, and deletes it. */
export const probe = {
	add: statement(`INSERT INTO registration (${columns.map(([, column]) => column).join(", ")})
		VALUES (${columns.map(() => `'${PROBE_KEY}'`).join(", ")})`),
	remove: statement("DELETE FROM registration WHERE email_key = $1", PROBE_KEY),
};

/**
 * The statement that adds the registrations of {@link rowsAsJson} whose key is new, and gives of
 * each what is asked for. PostgreSQL adds the one without a flag of several with the same key.
 */
export function insertStatement(
	{ jsonRows, insertOrder }: Dialect,
	returning = 'email_key AS "key"',
): string {
	// `WHERE true` tells SQLite that ON belongs to the INSERT (sqlite.org/lang_upsert.html).
	return `INSERT INTO registration (${columns.map(([, column]) => column).join(", ")})
		SELECT ${columns.map((_, n) => `value->>${n}`).join(", ")}
		FROM ${jsonRows} WHERE true ${insertOrder && `${insertOrder}, ${columns.length}`}
		ON CONFLICT (email_key) DO NOTHING
		RETURNING ${returning}`;
}

/**
 * On PostgreSQL, one statement that adds registrations as the table `added`, with their events, takes back
 * the flags of those who join again, and then does more, in SQL.
 */
export const withAdded = (dialect: Dialect, more = "") =>
	`WITH added AS (${insertStatement(dialect, "email_key, created_at, flags")}),
	events AS (${insertEventsSql(dialect, "joined", "SELECT email_key, created_at AS at FROM added")}),
	unflagged AS (${unflagRejoined(dialect, "").sql}) ${more}
	SELECT email_key AS "key" FROM added`;

/** SQL for the rows that {@link insertStatement} added: a registration with the time of its row is new. */
const added = ({ jsonRows }: Dialect) =>
	`${jsonRows} JOIN registration ON email_key = value->>0 AND created_at = value->>3`;

/** SQL that adds an event for each of them. */
export const insertJoined = (dialect: Dialect) =>
	insertEventsSql(
		dialect,
		"joined",
		`SELECT DISTINCT email_key, created_at AS at FROM ${added(dialect)}`,
	);

/** SQL for those of them without a mark. */
export const addedUnmarked = (dialect: Dialect) => `${added(dialect)} WHERE flags = ''`;

/** Registrations as the one parameter of {@link insertStatement}. */
export function rowsAsJson(registrations: readonly Registration[]): string {
	return JSON.stringify(registrations.map(valuesOf));
}

/** The values of a registration, in the order of its columns. */
function valuesOf({ key, email, source, createdAt, terms, flags }: Registration): string[] {
	return [key, email, source, createdAt, terms, flags];
}

/** Which registrations to read. Times are ISO 8601 in UTC with milliseconds. */
export interface Filter {
	since?: string;
	until?: string;
	source?: string;
	/** People with this flag, with any, or without one. */
	flag?: FlagFilter;
}

/** Rows of a page on the way out: few, so that an export of millions needs little memory. */
const EXPORT_ROWS = 200;

/** Rows of a page on the way into another database, where each page is a commit. */
const COPY_ROWS = 1000;

/**
 * The key of an address, the same for every spelling of it.
 *
 * @throws Refusal with the sentence that the site shows, when it is not an address
 */
export function keyOf(email: string): string {
	const address = canonicalEmail(email, asciiDomain);
	if ("key" in address) return address.key;
	throw new Refusal(`${address.error}: ${JSON.stringify(email)}`);
}

/** The registration of a key, or undefined. */
export async function findRegistration(
	query: Query,
	key: string,
): Promise<Registration | undefined> {
	const [found] = await query<Registration>(
		`SELECT ${FIELDS} FROM registration WHERE email_key = $1`,
		[key],
	);
	return found;
}

/** People whom the operator names. */
export interface People {
	/** The keys of those on the waitlist, each once. */
	keys: string[];
	/** The addresses of the others, as the operator wrote them. */
	notFound: string[];
}

/**
 * Finds people by any spelling of their addresses.
 *
 * @throws Refusal with the sentence that the site shows, when one is neither an address nor on the list
 */
export async function findPeople(
	{ query, dialect }: Database,
	emails: readonly string[],
): Promise<People> {
	const named = new Map<string, string>();
	for (const email of emails) named.set(keyOf(email), email);
	const found = await query<{ key: string }>(
		`SELECT email_key AS "key" FROM registration WHERE ${ofPeople(dialect)}`,
		[keysAsJson(named.keys())],
	);
	const keys = keysOf(found);
	for (const key of keys) named.delete(key);
	return { keys, notFound: [...named.values()] };
}

/** Adds the registrations whose key is not there yet, in a transaction, and gives their keys. */
export async function insertRegistrations(
	query: Query,
	{ dialect }: Pick<Database, "dialect">,
	registrations: readonly Registration[],
): Promise<string[]> {
	const insert = insertStatement(dialect);
	return keysOf(await query<{ key: string }>(insert, [rowsAsJson(registrations)]));
}

/** Deletes registrations, and gives who was there. */
export async function deleteRegistrations(
	query: Query,
	dialect: Dialect,
	keys: readonly string[],
): Promise<Pick<Registration, "key" | "email" | "createdAt">[]> {
	return query(
		`DELETE FROM registration WHERE ${ofPeople(dialect)}
		RETURNING email_key AS "key", email, created_at AS "createdAt"`,
		[keysAsJson(keys)],
	);
}

/** All registrations of a filter, the oldest first, a page at a time. */
export const inOrderOfTime = (query: Query, filter: Filter) =>
	inPages<Registration>(EXPORT_ROWS, (after) => {
		const { parameters, put } = collect(after?.createdAt ?? filter.since ?? "", after?.key ?? "");
		const and = (condition: string, value: string | undefined) =>
			value === undefined ? "" : ` AND ${condition} ${put(value)}`;
		return query(
			`SELECT ${FIELDS} FROM registration
			WHERE (created_at, email_key) > ($1, $2)
			${and("created_at <", filter.until)}${and("source =", filter.source)}
			${filter.flag === undefined ? "" : `AND ${flagIs(filter.flag)}`}
			ORDER BY created_at, email_key LIMIT ${EXPORT_ROWS}`,
			parameters,
		);
	});

/** All registrations in the order of their keys, by bytes, a page at a time. */
export const inOrderOfKey = (query: Query) =>
	inPages<Registration>(COPY_ROWS, (after) =>
		query(
			`SELECT ${FIELDS} FROM registration WHERE email_key > $1
			ORDER BY email_key LIMIT ${COPY_ROWS}`,
			[after?.key ?? ""],
		),
	);

/** Gives some joins a mark, or none, and leaves out who is being erased. */
const mark = (flags: string, { takeRows }: Dialect, which: string, rows: string) =>
	statement<{ key: string }>(
		`UPDATE registration SET flags = '${flags}' WHERE email_key IN (
			SELECT email_key FROM registration WHERE ${which} ${takeRows}
		) RETURNING email_key AS "key"`,
		rows,
	);

/** Takes back the flags of earlier joins from the people of {@link rowsAsJson} who join without one. */
export const unflagRejoined = (dialect: Dialect, rows: string) =>
	unflagEarned(
		dialect,
		`email_key IN (SELECT value->>0 FROM ${dialect.jsonRows} WHERE ${IS_UNFLAGGED_ROW})`,
		rows,
	);

/** Takes back the flags that some joins earned. */
export const unflagEarned = (dialect: Dialect, which: string, rows: string) =>
	mark("", dialect, `${HAS_EARNED_FLAG} AND ${which}`, rows);

/** Takes the mark of a burst back from some joins. */
export const clearBurst = (dialect: Dialect, which: string, rows: string) =>
	mark("", dialect, `${IS_BURST} AND ${which}`, rows);

/** Marks people by hand who have no mark. @param rows of people, as keysAsJson gives them */
export const markByHand = (dialect: Dialect, rows: string) =>
	mark(BY_OPERATOR, dialect, `flags = '' AND ${ofPeople(dialect)}`, rows);

/** Takes any mark back from people. */
export const unmark = (dialect: Dialect, rows: string) =>
	mark("", dialect, `flags <> '' AND ${ofPeople(dialect)}`, rows);

/** Few, so that joins get in between. */
const MENDED_ROWS = 200;

/** Rows whose time lies in the future get the time of now: the latest at which they can have joined. */
export async function mendTimes({
	database,
	now,
	progress,
}: Pick<Operation, "database" | "now" | "progress">): Promise<void> {
	for (let mended = 0, last = MENDED_ROWS; last === MENDED_ROWS; mended += last) {
		const keys = await database.transaction((query) =>
			query(
				`UPDATE registration SET created_at = $1 WHERE email_key IN (
					SELECT email_key FROM registration WHERE created_at > $2 LIMIT ${MENDED_ROWS}
				) RETURNING email_key`,
				[now.toISOString(), latestCredible(now)],
			),
		);
		last = keys.length;
		progress.show("mended", mended, 0);
	}
	progress.end();
}
