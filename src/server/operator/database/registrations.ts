import { domainToASCII } from "node:url";
import { canonicalEmail } from "#shared/email.ts";
import { FIELDS, insertStatement, keysAsJson, keysOf, rowsAsJson } from "../../waitlist/schema.ts";
import type { Registration } from "../../waitlist/waitlist.ts";
import type { Database, Query } from "./database.ts";

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
		WHERE email_key IN (SELECT value->>0 FROM ${dialect.jsonRows})`,
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
