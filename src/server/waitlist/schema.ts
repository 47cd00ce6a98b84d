import type { Registration } from "./waitlist.ts";

/**
 * The schema, as the steps that lead to it. A database remembers how many it has taken; steps are
 * added at the end and never changed. Keys are computed in JavaScript only: databases disagree
 * about lower case (SQLite knows ASCII, and `İ` differs everywhere).
 */
export const migrations: readonly string[] = [
	`CREATE TABLE registration (
		email_key  TEXT PRIMARY KEY,
		email      TEXT NOT NULL,
		source     TEXT NOT NULL,
		created_at TEXT NOT NULL,
		terms      TEXT NOT NULL
	);
	CREATE INDEX registration_created_at ON registration (created_at);`,
];

/** A batch as the one parameter of the one statement that inserts it, in the order of the columns. */
export function rowsAsJson(registrations: readonly Registration[]): string {
	return JSON.stringify(
		registrations.map(({ key, email, source, createdAt, terms }) => [
			key,
			email,
			source,
			createdAt,
			terms,
		]),
	);
}
