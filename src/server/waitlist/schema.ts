import type { Registration } from "./waitlist.ts";

/**
 * How a column of text is declared, so that both databases compare bytes: PostgreSQL would
 * otherwise sort and search by the rules of some language. SQLite does so by itself.
 */
export type TextType = "TEXT" | 'TEXT COLLATE "C"';

/**
 * The schema, as the steps that lead to it. A database remembers how many it has taken; steps are
 * added at the end and never changed. Keys are computed in JavaScript only: databases disagree
 * about lower case (SQLite knows ASCII, and `İ` differs everywhere).
 *
 * The key is the primary key because distributed databases place a row by it, and ask for it in
 * every unique constraint.
 */
export const migrations: readonly ((text: TextType) => string)[] = [
	(text) => `CREATE TABLE registration (
		email_key  ${text} PRIMARY KEY,
		email      ${text} NOT NULL,
		source     ${text} NOT NULL,
		created_at ${text} NOT NULL,
		terms      ${text} NOT NULL
	);
	CREATE INDEX registration_created_at ON registration (created_at);`,

	// The indexes count and export by time, by source, and what is flagged.
	(text) => `ALTER TABLE registration ADD COLUMN flags ${text} NOT NULL DEFAULT '';
	DROP INDEX registration_created_at;
	CREATE INDEX registration_by_time ON registration (created_at, email_key);
	CREATE INDEX registration_by_source ON registration (source, created_at);
	CREATE INDEX registration_flagged ON registration (flags) WHERE flags <> '';
	CREATE TABLE erasure (
		code      ${text} NOT NULL,
		erased_at ${text} NOT NULL,
		reason    ${text} NOT NULL,
		PRIMARY KEY (code, erased_at)
	);`,
];

/** The columns of a registration, in the order of {@link rowsAsJson}. */
export const COLUMNS = "email_key, email, source, created_at, terms, flags";

/** The same columns of a registration that came as an element of JSON, in both databases. */
export const FROM_JSON = "SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5";

/** A batch as the one parameter of the one statement that inserts it. */
export function rowsAsJson(registrations: readonly Registration[]): string {
	return JSON.stringify(
		registrations.map(({ key, email, source, createdAt, terms, flags }) => [
			key,
			email,
			source,
			createdAt,
			terms,
			flags,
		]),
	);
}
