import type { Table } from "../rows.ts";
import { NOT_COPIED } from "../schema.ts";
import type { Query } from "../statement.ts";

/* What SQLite says of its own tables and indexes (sqlite.org/schematab.html). */

/** How many tables and indexes there are. It reads the file, so that a lock is taken. */
export const COUNT_ALL = "SELECT count(*) AS n FROM sqlite_schema";

/** Whether there is a waitlist: 1, or 0. */
export const COUNT_WAITLIST =
	"SELECT count(*) AS n FROM pragma_table_info('registration') WHERE name = 'email_key'";

/** Views, virtual tables and triggers: their types and names. */
export const NOT_A_TABLE = `SELECT type, name FROM pragma_table_list
	WHERE schema = 'main' AND type IN ('view', 'virtual')
	UNION ALL SELECT type, name FROM sqlite_schema WHERE type = 'trigger'`;

/** The tables of the main database of which copies are made. */
export async function copiedTables(query: Query): Promise<Table[]> {
	const tables = await query<{ name: string }>(
		"SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
	);
	const copied = tables.filter(({ name }) => !NOT_COPIED.includes(name));
	return Promise.all(
		copied.map(async ({ name }) => {
			const columns = await query<{ name: string; pk: number }>(
				`SELECT name, pk FROM pragma_table_info('${name}')`,
			);
			const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
			return { name, columns: columns.map(nameOf), key: key.map(nameOf) };
		}),
	);
}

const nameOf = ({ name }: { name: string }) => name;

/** SQL that copies a table into the attached database `copy`. Between two tables of one schema SQLite copies pages of tables and indexes as they are. */
export const copyTable = (table: string) => `INSERT INTO copy.${table} SELECT * FROM main.${table}`;

/** Rows of a table, of its copy in the attached database `copy`, and of both that are the same. */
export async function compareCopy(
	query: Query,
	{ name: table, columns }: Table,
): Promise<Record<"ours" | "theirs" | "alike", number>> {
	const alike = columns.map((name) => `ours.${name} = theirs.${name}`).join(" AND ");
	const [counts] = await query<Record<"ours" | "theirs" | "alike", number>>(
		`SELECT (SELECT count(*) FROM main.${table}) AS ours,
			(SELECT count(*) FROM copy.${table}) AS theirs,
			(SELECT count(*) FROM main.${table} AS ours
				JOIN copy.${table} AS theirs ON ours.rowid = theirs.rowid AND ${alike}) AS alike`,
	);
	return counts!;
}

/**
 * Fills a database before it has indexes. The rows come in the order of their keys, so each entry of
 * another index would go to a page of its own, and every batch would write all of these pages.
 */
export async function withoutIndexes<Result>(
	query: Query,
	fill: () => Promise<Result>,
): Promise<Result> {
	const indexes = await query<{ name: string; sql: string }>(
		"SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
	);
	for (const { name } of indexes) await query(`DROP INDEX ${name}`);
	const result = await fill();
	for (const { sql } of indexes) await query(sql);
	return result;
}
