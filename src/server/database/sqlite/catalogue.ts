import type { Query } from "../database.ts";

/* What SQLite says of its own tables and indexes (sqlite.org/schematab.html). */

/** How many tables and indexes there are. It reads the file, so that a lock is taken. */
export const COUNT_ALL = "SELECT count(*) AS n FROM sqlite_schema";

/** Whether there is a waitlist: 1, or 0. */
export const COUNT_WAITLIST =
	"SELECT count(*) AS n FROM pragma_table_info('registration') WHERE name = 'email_key'";

/** The names of the tables of the main database. */
export async function tableNames(query: Query): Promise<string[]> {
	const tables = await query<{ name: string }>(
		"SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
	);
	return tables.map(({ name }) => name);
}

/** SQL that copies a table into the attached database `copy`. Between two tables of one schema SQLite copies pages of tables and indexes as they are. */
export const copyTable = (table: string) => `INSERT INTO copy.${table} SELECT * FROM main.${table}`;

/** Rows of a table, of its copy in the attached database `copy`, and of both that are the same. */
export async function compareCopy(
	query: Query,
	table: string,
): Promise<Record<"ours" | "theirs" | "alike", number>> {
	const columns = await query<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`);
	const alike = columns.map(({ name }) => `ours.${name} = theirs.${name}`).join(" AND ");
	const [counts] = await query<Record<"ours" | "theirs" | "alike", number>>(
		`SELECT (SELECT count(*) FROM main.${table}) AS ours,
			(SELECT count(*) FROM copy.${table}) AS theirs,
			(SELECT count(*) FROM main.${table} AS ours
				JOIN copy.${table} AS theirs ON ours.rowid = theirs.rowid AND ${alike}) AS alike`,
	);
	return counts!;
}

/** The names of the indexes with a column for people. */
export async function indexesOfPeople(query: Query): Promise<string[]> {
	const indexes = await query<{ name: string }>(
		`SELECT name FROM sqlite_schema WHERE type = 'index' AND EXISTS (
			SELECT 1 FROM pragma_index_info(sqlite_schema.name) AS indexed
			WHERE indexed.name = 'email_key'
		)`,
	);
	return indexes.map(({ name }) => name);
}

/**
 * Fills a database before it has indexes. The rows come in the order of their keys, so each entry of
 * another index would go to a page of its own, and every batch would write all of these pages.
 */
export async function withoutIndexes(query: Query, fill: () => Promise<void>): Promise<void> {
	const indexes = await query<{ name: string; sql: string }>(
		"SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
	);
	for (const { name } of indexes) await query(`DROP INDEX ${name}`);
	await fill();
	for (const { sql } of indexes) await query(sql);
}
