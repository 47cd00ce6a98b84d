import { sqlite } from "./dialect.ts";
import { countRows, inPages, readAhead } from "./rows.ts";
import { NOT_COPIED, tables } from "./schema.ts";
import { raw, sql } from "./sql.ts";
import { DatabaseSync } from "./sqlite/connection.ts";
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

const PAGE_ROWS = 1000;

/** The statements that make the indexes, with the names of these. */
const INDEXES = [...tables(sqlite).matchAll(/CREATE (?:UNIQUE )?INDEX (\w+)[^;]+/g)];

/**
 * Copies all rows of all tables but {@link NOT_COPIED} into empty tables, and returns how many each has.
 *
 * @throws Error when a table of the copy has another number of rows
 */
export async function copyTables(from: Tx, to: Tx): Promise<Record<string, number>> {
	const counts: Record<string, number> = {};
	// Each entry of an index of other columns goes to another page: every page is written many times.
	for (const [, name] of INDEXES) await to.all(raw(`DROP INDEX ${name}`));
	for (const table of copiedTables()) {
		let rows = 0;
		for await (const page of readAhead(rowsOf(from, table))) {
			await to.all(addRows(table, `[${page.map(({ row }) => row)}]`));
			rows += page.length;
		}
		const copied = await countRows(to, raw(table.name));
		if (copied !== rows) {
			throw new Error(`The copy of ${table.name} has ${copied} rows instead of ${rows}.`);
		}
		counts[table.name] = rows;
	}
	for (const [index] of INDEXES) await to.all(raw(index));
	await to.all(sql`DELETE FROM note WHERE name NOT IN ('key', 'gap')`);
	return counts;
}

/** Deletes the rows that a server has added to a database nobody has joined yet. */
export async function emptyTables(tx: Tx): Promise<void> {
	for (const { name } of copiedTables()) await tx.all(raw(`DELETE FROM ${name}`));
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
const rowsOf = (tx: Tx, { name, columns, key }: Table) =>
	inPages<TableRow>(PAGE_ROWS, (after) => {
		const values = raw(`json_row(${columns.map((column) => column.name)}) AS "row", ${key}`);
		const places = key.map((_, n) => `$${n + 1}`);
		const further = after && {
			text: `WHERE (${key}) > (${places})`,
			parameters: key.map((column) => after[column]!),
		};
		return tx.all(sql<TableRow>`SELECT ${values} FROM ${raw(name)} ${further ?? sql``}
			ORDER BY ${raw(`${key}`)} LIMIT ${PAGE_ROWS}`);
	});

/** Without MATERIALIZED, emails took 2.4 times as long on SQLite. */
function addRows({ name, columns }: Table, rows: string) {
	const values = columns.map(({ isNumber }, n) =>
		isNumber ? `CAST(value->>${n} AS BIGINT)` : `value->>${n}`,
	);
	return sql`WITH added AS MATERIALIZED (SELECT value FROM json_rows(${rows}))
		INSERT INTO ${raw(name)} (${raw(`${columns.map((column) => column.name)}`)})
		SELECT ${raw(`${values}`)} FROM added`;
}
