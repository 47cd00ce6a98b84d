import { type Dialect, sqlite } from "./dialect.ts";
import { countRows, inPages, readAhead } from "./rows.ts";
import { NOT_COPIED, tables } from "./schema.ts";
import { DatabaseSync } from "./sqlite/connection.ts";
import { type Query, statement } from "./statement.ts";
import type { Tx } from "./transaction.ts";

interface Table {
	name: string;
	columns: readonly Column[];
	/** The columns of its primary key, in their order. */
	key: readonly string[];
}

interface Column {
	name: string;
	isNumber: boolean;
}

type Side = Pick<Tx, "query" | "dialect">;

const PAGE_ROWS = 1000;

/** Notes about the list. All others are about one database. */
const COPIED_NOTES = "'key', 'gap'";

/**
 * Copies all rows of all tables but {@link NOT_COPIED} into empty tables, and returns how many each has.
 *
 * @param onRows receives the number of rows so far
 * @throws Error when a table of the copy has another number of rows
 */
export async function copyTables(
	from: Side,
	to: Side,
	onRows: (rows: number) => void,
): Promise<Record<string, number>> {
	const counts: Record<string, number> = {};
	let total = 0;
	const makeIndexes = to.dialect === sqlite ? await dropIndexes(to.query) : undefined;
	for (const table of copiedTables()) {
		let rows = 0;
		for await (const page of readAhead(rowsOf(from, table))) {
			const { sql, parameters } = addRows(to.dialect, table, `[${page.map(({ row }) => row)}]`);
			await to.query(sql, parameters);
			rows += page.length;
			onRows(total + rows);
		}
		const copied = await countRows(to.query, table.name);
		if (copied !== rows) {
			throw new Error(`The copy of ${table.name} has ${copied} rows instead of ${rows}.`);
		}
		counts[table.name] = rows;
		total += rows;
	}
	await makeIndexes?.();
	await to.query(`DELETE FROM note WHERE name NOT IN (${COPIED_NOTES})`);
	return counts;
}

/**
 * Drops the indexes of an SQLite file. With rows in the order of one key, each entry of another index goes
 * to a page of its own, and every page would be written many times.
 *
 * @returns makes them again
 */
async function dropIndexes(query: Query): Promise<() => Promise<void>> {
	const indexes = await query<{ name: string; sql: string }>(
		"SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
	);
	for (const { name } of indexes) await query(`DROP INDEX ${name}`);
	return async () => {
		for (const { sql } of indexes) await query(sql);
	};
}

/** Deletes the rows that a server has added to a database nobody has joined yet. */
export async function emptyTables({ query }: Side): Promise<void> {
	for (const { name } of copiedTables()) await query(`DELETE FROM ${name}`);
}

/** Reads the tables from a schema in memory, so that both databases copy the same ones. */
function copiedTables(): Table[] {
	const schema = new DatabaseSync(":memory:");
	try {
		schema.exec(tables(sqlite));
		const names = schema.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
		return names
			.map(({ name }) => String(name))
			.filter((name) => !NOT_COPIED.includes(name))
			.map((name) => {
				const columns = schema
					.prepare(`SELECT name, type, pk FROM pragma_table_info('${name}')`)
					.all() as { name: string; type: string; pk: number }[];
				const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
				return {
					name,
					columns: columns.map(({ name, type }) => ({ name, isNumber: type !== "TEXT" })),
					key: key.map(({ name }) => name),
				};
			});
	} finally {
		schema.close();
	}
}

/** Values as a JSON array, the same text from both databases, and the key. */
type TableRow = Readonly<Record<string, string | number>> & { row: string };

/** Pages of a table in the order of its key. Field by field, drivers take three times as long. */
const rowsOf = ({ query, dialect }: Side, { name, columns, key }: Table) =>
	inPages<TableRow>(PAGE_ROWS, (after) => {
		const values = dialect.jsonRow(...columns.map((column) => column.name));
		const place = key.map((_, n) => `$${n + 1}`);
		return query(
			`SELECT ${values} AS "row", ${key} FROM ${name}
			${after ? `WHERE (${key}) > (${place})` : ""} ORDER BY ${key} LIMIT ${PAGE_ROWS}`,
			after && key.map((column) => after[column]!),
		);
	});

/** Without MATERIALIZED, emails took 2.4 times as long on SQLite. */
function addRows({ jsonRows }: Dialect, { name, columns }: Table, rows: string) {
	const values = columns.map(({ isNumber }, n) =>
		isNumber ? `CAST(value->>${n} AS BIGINT)` : `value->>${n}`,
	);
	return statement(
		`WITH added AS MATERIALIZED (SELECT value FROM ${jsonRows})
		INSERT INTO ${name} (${columns.map((column) => column.name)}) SELECT ${values} FROM added`,
		rows,
	);
}
