import { ask, type Database, type Query } from "../database/database.ts";
import type { Dialect } from "../database/dialect.ts";
import { readAhead } from "../database/rows.ts";
import { copiedTables } from "../database/sqlite/catalogue.ts";
import { addRows, rowsOfFile, rowsOfTable, type Table } from "../database/table.ts";
import { createSum, type Sum } from "./sums.ts";

/** What stands in tables, by their names. */
export type TableSums = ReadonlyMap<string, Sum>;

/**
 * Copies all tables into an SQLite file that has no row yet. It only adds rows: a copy into a waitlist
 * that may be in use has to ask of each row which side knows more, and takes three times as long.
 *
 * @param query reads a snapshot of the source
 * @param onRows is told how many rows were copied so far
 * @returns what was read of the source
 */
export async function copyTables(
	query: Query,
	dialect: Dialect,
	file: Database,
	onRows: (rows: number) => void,
): Promise<TableSums> {
	const tables = await copiedTables(file.query);
	const copied = async function* (table: Table) {
		for await (const rows of readAhead(rowsOfTable(query, dialect, table))) {
			await file.transaction((adding) => ask(adding, addRows(table, rows)));
			yield rows;
		}
	};
	return sumUp(tables, copied, onRows);
}

/** Adds up some tables of an SQLite file. */
export async function sumTables(
	{ query }: Database,
	which: (table: Table) => boolean,
	onRows: (rows: number) => void,
): Promise<TableSums> {
	const tables = (await copiedTables(query)).filter(which);
	return sumUp(tables, (table) => rowsOfFile(query, table), onRows);
}

async function sumUp(
	tables: readonly Table[],
	pagesOf: (table: Table) => AsyncIterable<readonly { row: string }[]>,
	onRows: (rows: number) => void,
): Promise<TableSums> {
	const sums = new Map<string, Sum>();
	let read = 0;
	for (const table of tables) {
		const sum = createSum();
		for await (const rows of pagesOf(table)) {
			// Each database has its own spaces in JSON.
			for (const { row } of rows) sum.add(JSON.stringify(JSON.parse(row)));
			read += rows.length;
			onRows(read);
		}
		sums.set(table.name, sum);
	}
	return sums;
}
