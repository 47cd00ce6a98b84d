import { domainToASCII } from "node:url";
import { canonicalEmail, EMAIL_MAX_LENGTH } from "#shared/email.ts";
import { type Database, type Query, statement } from "../database/database.ts";
import { type Dialect, keysAsJson, keysOf, ofPeople } from "../database/dialect.ts";
import { type Bucket, latestCredible } from "../time.ts";
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
	/** Version of the legal texts that were shown: the record of consent. */
	terms: string;
	/** Marks that suggest a program: `trap`, or empty. Kept for the operator to judge. */
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

/** For SELECT: the columns of a registration under the names of its fields. */
export const FIELDS = columns.map(([field, column]) => `${column} AS "${field}"`).join(", ");

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
 * each what is asked for.
 */
export function insertStatement(
	{ jsonRows, insertOrder }: Dialect,
	returning = 'email_key AS "key"',
): string {
	// `WHERE true` tells SQLite that ON belongs to the INSERT (sqlite.org/lang_upsert.html).
	return `INSERT INTO registration (${columns.map(([, column]) => column).join(", ")})
		SELECT ${columns.map((_, n) => `value->>${n}`).join(", ")}
		FROM ${jsonRows} WHERE true ${insertOrder}
		ON CONFLICT (email_key) DO NOTHING
		RETURNING ${returning}`;
}

/** Registrations as the one parameter of {@link insertStatement}. */
export function rowsAsJson(registrations: readonly Registration[]): string {
	return JSON.stringify(registrations.map(valuesOf));
}

/** The values of a registration, in the order of its columns. */
export function valuesOf({ key, email, source, createdAt, terms, flags }: Registration): string[] {
	return [key, email, source, createdAt, terms, flags];
}

/** Which registrations to read. Times are ISO 8601 in UTC with milliseconds. */
export interface Filter {
	since?: string;
	until?: string;
	source?: string;
	flagged?: boolean;
}

/** Rows of a page on the way out: few, so that an export of millions needs little memory. */
const EXPORT_ROWS = 200;

/** Rows of a page on the way into another database, where each page is a commit. */
const COPY_ROWS = 1000;

/**
 * The key of an address, the same for every spelling of it. An address that the rule refuses may be
 * on the list since an earlier rule: to the letter, it is found as well.
 *
 * @throws Error with the sentence that the site shows, when it is neither an address nor on the list
 */
export async function keyOf(query: Query, email: string): Promise<string> {
	const address = canonicalEmail(email, domainToASCII);
	if ("key" in address) return address.key;
	const [row] = await query<{ key: string }>(
		'SELECT email_key AS "key" FROM registration WHERE email = $1 OR email_key = $1',
		[email.trim()],
	);
	if (!row) throw new Error(`${address.error}: ${JSON.stringify(email)}`);
	return row.key;
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
 * @throws Error with the sentence that the site shows, when one is neither an address nor on the list
 */
export async function findPeople(
	{ query, dialect }: Database,
	emails: readonly string[],
): Promise<People> {
	const named = new Map<string, string>();
	for (const email of emails) named.set(await keyOf(query, email), email);
	const found = await query<{ key: string }>(
		`SELECT email_key AS "key" FROM registration
		WHERE ${ofPeople(dialect)}`,
		[keysAsJson(named.keys())],
	);
	const keys = keysOf(found);
	for (const key of keys) named.delete(key);
	return { keys, notFound: [...named.values()] };
}

/** The key that a registration had before the rule folded case. Older proofs of erasure are of it. */
export function unfoldedKeyOf({ key, email }: Pick<Registration, "key" | "email">): string {
	const local = email.slice(0, email.indexOf("@")).normalize("NFC").toLowerCase().normalize("NFC");
	return local + key.slice(key.lastIndexOf("@"));
}

/**
 * Adds the registrations whose key is not there yet, and gives their keys.
 *
 * @param also what else is done in the same transaction, after them
 */
export async function addRegistrations(
	database: Database,
	registrations: readonly Registration[],
	also: (query: Query) => Promise<void> = () => Promise.resolve(),
): Promise<string[]> {
	return database.transaction(async (query) => {
		const added = await insertRegistrations(query, database, registrations);
		await also(query);
		return added;
	});
}

/** The same in a transaction. */
export async function insertRegistrations(
	query: Query,
	{ dialect }: Pick<Database, "dialect">,
	registrations: readonly Registration[],
): Promise<string[]> {
	const insert = insertStatement(dialect);
	return keysOf(await query<{ key: string }>(insert, [rowsAsJson(registrations)]));
}

/** Deletes registrations, and gives who was there. */
export function deleteRegistrations(
	query: Query,
	dialect: Dialect,
	keys: readonly string[],
): Promise<Pick<Registration, "key" | "createdAt">[]> {
	return query(
		`DELETE FROM registration WHERE ${ofPeople(dialect)}
		RETURNING email_key AS "key", created_at AS "createdAt"`,
		[keysAsJson(keys)],
	);
}

/** All registrations of a filter, the oldest first, a page at a time. */
export async function* inOrderOfTime(query: Query, filter: Filter): AsyncGenerator<Registration[]> {
	let after = { createdAt: filter.since ?? "", key: "" };
	for (;;) {
		const parameters: string[] = [after.createdAt, after.key];
		const and = (condition: string, value: string | undefined) => {
			if (value === undefined) return "";
			parameters.push(value);
			return ` AND ${condition} $${parameters.length}`;
		};
		const page = await query<Registration>(
			`SELECT ${FIELDS} FROM registration
			WHERE (created_at, email_key) > ($1, $2)
			${and("created_at <", filter.until)}${and("source =", filter.source)}
			${filter.flagged === undefined ? "" : `AND flags ${filter.flagged ? "<>" : "="} ''`}
			ORDER BY created_at, email_key LIMIT ${EXPORT_ROWS}`,
			parameters,
		);
		if (page.length > 0) yield page;
		if (page.length < EXPORT_ROWS) return;
		after = page.at(-1)!;
	}
}

/** All registrations in the order of their keys, by bytes, a page at a time. */
export async function* inOrderOfKey(query: Query): AsyncGenerator<Registration[]> {
	for (let after = ""; ; ) {
		const page = await query<Registration>(
			`SELECT ${FIELDS} FROM registration WHERE email_key > $1
			ORDER BY email_key LIMIT ${COPY_ROWS}`,
			[after],
		);
		if (page.length > 0) yield page;
		if (page.length < COPY_ROWS) return;
		after = page.at(-1)!.key;
	}
}

/** How many registrations there are. */
export async function countRegistrations(query: Query): Promise<number> {
	const [row] = await query<{ total: number }>(
		"SELECT CAST(count(*) AS INTEGER) AS total FROM registration",
	);
	return row!.total;
}

/** What the registrations say of the whole list. */
export interface ListCounts {
	/** Times of the first and the latest join, ISO 8601. */
	first: string | null;
	latest: string | null;
	/** Registrations that the trap has marked. */
	flagged: number;
}

/** An index answers each of these. */
export async function countList(query: Query): Promise<ListCounts> {
	const [counts] = await query<ListCounts>(
		`SELECT (SELECT min(created_at) FROM registration) AS first,
			(SELECT max(created_at) FROM registration) AS latest,
			CAST((SELECT count(*) FROM registration WHERE flags <> '') AS INTEGER) AS flagged`,
	);
	return counts!;
}

/** How many joined, by something that has a name. */
export interface Joined {
	name: string;
	count: number;
}

/** How many came from each site, the largest first: at most so many sites. */
export function countBySource(query: Query, most: number): Promise<Joined[]> {
	return query(
		`SELECT source AS name, CAST(count(*) AS INTEGER) AS count FROM registration
		GROUP BY source ORDER BY count(*) DESC, source LIMIT ${most}`,
	);
}

/** How many joined in each of these times, in their order. */
export async function countByTime(
	{ query, dialect }: Pick<Database, "query" | "dialect">,
	times: readonly Bucket[],
): Promise<Joined[]> {
	const ranges = times.map(({ from, to }, place) => [String(place), from, to]);
	const rows = await query<{ place: string; count: number }>(
		`SELECT value->>0 AS place, CAST((
			SELECT count(*) FROM registration WHERE created_at >= value->>1 AND created_at < value->>2
		) AS INTEGER) AS count FROM ${dialect.jsonRows}`,
		[JSON.stringify(ranges)],
	);
	const counts = new Map(rows.map(({ place, count }) => [Number(place), count]));
	return times.map(({ name }, place) => ({ name, count: counts.get(place)! }));
}

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
