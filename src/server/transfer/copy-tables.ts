import { createHash } from "node:crypto";
import type { Database } from "../database/database.ts";
import type { Dialect } from "../database/dialect.ts";
import {
	addRows,
	asJson,
	readAhead,
	rowsOfFile,
	rowsOfTable,
	type Table,
	type TableRow,
} from "../database/rows.ts";
import { copiedTables } from "../database/sqlite/catalogue.ts";
import { ask, type Query } from "../database/statement.ts";

/** What stands in a table, with a hash that depends on the order of its rows. */
interface Read {
	rows: number;
	hash: string;
}

/** What was read of tables, by their names. */
export type ReadTables = ReadonlyMap<string, Read>;

/** Is told of each page that was read. */
type OnPage = (table: Table, rows: readonly TableRow[]) => void;

/**
 * Copies all tables into an SQLite file that has no row yet. It only adds rows: a copy into a waitlist
 * that may be in use has to ask of each row which side knows more.
 *
 * @param query reads a snapshot of the source
 */
export async function copyTables(
	query: Query,
	dialect: Dialect,
	file: Database,
	onPage: OnPage,
): Promise<ReadTables> {
	const copied = async function* (table: Table) {
		for await (const rows of readAhead(rowsOfTable(query, dialect, table))) {
			await file.transaction((adding) => ask(adding, addRows(table, asJson(rows))));
			yield rows;
		}
	};
	return read(await copiedTables(file.query), copied, onPage);
}

/** Reads tables of an SQLite file. The hashes are those of {@link copyTables} if all rows are there. */
export async function readTables(
	{ query }: Database,
	which: (table: Table) => boolean,
	onPage: OnPage,
): Promise<ReadTables> {
	const tables = (await copiedTables(query)).filter(which);
	return read(tables, (table) => rowsOfFile(query, table), onPage);
}

async function read(
	tables: readonly Table[],
	pagesOf: (table: Table) => AsyncIterable<readonly TableRow[]>,
	onPage: OnPage,
): Promise<ReadTables> {
	const found = new Map<string, Read>();
	for (const table of tables) {
		const hash = createHash("sha256");
		let rows = 0;
		for await (const page of pagesOf(table)) {
			hash.update(asJson(page));
			rows += page.length;
			onPage(table, page);
		}
		found.set(table.name, { rows, hash: hash.digest("hex") });
	}
	return found;
}
