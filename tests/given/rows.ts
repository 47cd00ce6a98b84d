import { openDatabase } from "../../src/server/database/open-database.ts";
import {
	joinSql,
	raw,
	rowsSql,
	type Statement,
	sql,
	type Tx,
} from "../../src/server/database/sql.ts";
import type { DatabaseSettings } from "../../src/server/settings.ts";
import { PAST_TIME, type TableFields, tables } from "./tables.ts";

type Tables = typeof tables;

export type AnyDatabase = Tx | { settings: DatabaseSettings } | { file: string };

export type TableName = keyof Tables;
type FieldsOf<K extends TableName> = Tables[K]["fields"];

/** Times are ISO 8601 strings; '' means never. */
export type Row<K extends TableName> = {
	-readonly [Name in keyof FieldsOf<K>]: FieldsOf<K>[Name] extends readonly [string, number]
		? number
		: string;
};

/** For a time field, `true` means {@link PAST_TIME} and `false` means never. */
export type RowInput<K extends TableName> = {
	[Name in keyof Row<K>]?: Row<K>[Name] | boolean | Date;
};

export type RowFilter<K extends TableName> = {
	[Name in keyof Row<K>]?: Row<K>[Name] | readonly Row<K>[Name][];
};

async function inDatabase<Result>(source: AnyDatabase, work: (tx: Tx) => Promise<Result>) {
	if ("all" in source) return work(source);
	const settings =
		"file" in source ? { kind: "sqlite" as const, file: source.file } : source.settings;
	const database = await openDatabase(settings, { create: true });
	try {
		return await work(database);
	} finally {
		await database.close();
	}
}

const fieldsOf = (kind: TableName): TableFields => tables[kind].fields;

const namesOf = (kind: TableName) => tables[kind].key.map((name) => `"${name}"`);

function from<K extends TableName>(kind: K, where: RowFilter<K>): Statement {
	const columns = Object.entries(fieldsOf(kind)).map(
		([name, [column]]) => `${column} AS "${name}"`,
	);
	const conditions = Object.entries(where).map(([name, value]) => {
		const values = [value].flat().map((one) => sql`${one as string | number}`);
		return sql`"${raw(name)}" IN (${values.length > 0 ? joinSql(values, ", ") : sql`NULL`})`;
	});
	return sql`FROM (SELECT ${raw(`${columns}`)} FROM ${raw(tables[kind].table)}) AS given
		WHERE ${joinSql([sql`true`, ...conditions], " AND ")}`;
}

export function readRows<K extends TableName>(
	source: AnyDatabase,
	kind: K,
	where: RowFilter<K> = {},
): Promise<Row<K>[]> {
	const order = raw(`${namesOf(kind)}`);
	return inDatabase(source, (tx) =>
		tx.all(sql<Row<K>>`SELECT * ${from(kind, where)} ORDER BY ${order}`),
	);
}

export async function countRows<K extends TableName>(
	source: AnyDatabase,
	kind: K,
	where: RowFilter<K> = {},
) {
	const row = await inDatabase(source, (tx) =>
		tx.first(sql<{ n: number }>`SELECT CAST(count(*) AS INT) AS n ${from(kind, where)}`),
	);
	return row!.n;
}

/** Includes columns that tables.ts does not name, because a copy must keep them too. */
export async function readAllTables(source: AnyDatabase) {
	const rows: Partial<Record<TableName, Record<string, string | number>[]>> = {};
	await inDatabase(source, async (tx) => {
		for (const kind of Object.keys(tables) as TableName[]) {
			const names = new Map(
				Object.entries(fieldsOf(kind)).map(([name, [column]]) => [column, name]),
			);
			const found = await tx.all(
				sql<Record<string, string | number>>`SELECT * FROM ${raw(tables[kind].table)}`,
			);
			rows[kind] = found.map((row) =>
				Object.fromEntries(
					Object.entries(row).map(([column, is]) => [names.get(column) ?? column, is ?? ""]),
				),
			);
		}
	});
	return rows as Record<TableName, Record<string, string | number>[]>;
}

const valuesOf = (fields: [string, TableFields[string]][], row: Record<string, unknown>) =>
	fields.map(([name, [, usual]]): string | number => {
		const value = row[name] ?? (typeof usual === "function" ? usual(row) : usual);
		if (value instanceof Date) return value.toISOString();
		if (typeof value !== "boolean") return value as string | number;
		return typeof usual === "number" ? Number(value) : value ? PAST_TIME : "";
	});

async function addTo(
	tx: Tx,
	kind: keyof Tables,
	rows: readonly Record<string, unknown>[],
): Promise<void> {
	const { table, key }: { table: string; key: readonly string[] } = tables[kind];
	const fields = Object.entries<TableFields[string]>(tables[kind].fields);
	const columns = fields.map(([, [column]]) => column);
	const values = fields.map(([, [, usual]], n) =>
		typeof usual === "number" ? `CAST(value->>${n} AS BIGINT)` : `value->>${n}`,
	);
	const unique = fields.filter(([name]) => key.includes(name)).map(([, [column]]) => column);
	const set = fields
		// An update keeps the address as first typed.
		.filter(([name]) => rows[0]![name] !== undefined && name !== "email" && !key.includes(name))
		.map(([, [column]]) => `${column} = excluded.${column}`);
	await tx.all(sql`INSERT INTO ${raw(table)} (${raw(`${columns}`)}) SELECT ${raw(`${values}`)} FROM ${rowsSql(rows.map((row) => valuesOf(fields, row)))} WHERE true
		ON CONFLICT (${raw(`${unique}`)}) DO ${raw(set.length > 0 ? `UPDATE SET ${set}` : "NOTHING")}`);
}

/** More rows in one statement need too much memory. */
const MOST_ROWS = 10_000;

export function addRows<K extends TableName>(
	source: AnyDatabase,
	kind: K,
	rows: Iterable<RowInput<K>>,
) {
	return inDatabase(source, async (database) => {
		const alike = new Map<string, RowInput<K>[]>();
		const addAll = async (some: RowInput<K>[]) => {
			await addTo(database, kind, some);
			some.length = 0;
		};
		for (const row of rows) {
			const names = Object.keys(row).join();
			const some = alike.get(names) ?? [];
			alike.set(names, some);
			if (some.push(row) === MOST_ROWS) await addAll(some);
		}
		for (const some of alike.values()) if (some.length > 0) await addAll(some);
	});
}

function whereIn<K extends TableName>(kind: K, where: RowFilter<K>): Statement {
	const key = tables[kind].key.map((name) => fieldsOf(kind)[name]![0]);
	return sql`WHERE (${raw(`${key}`)}) IN (SELECT ${raw(`${namesOf(kind)}`)} ${from(kind, where)})`;
}

export function changeRows<K extends TableName>(
	source: AnyDatabase,
	kind: K,
	changes: RowInput<K>,
	where: RowFilter<K> = {},
) {
	const fields = Object.entries<TableFields[string]>(tables[kind].fields);
	const named = fields.filter(([name]) => name in changes);
	const values = valuesOf(named, changes);
	const set = named.map(([, [column]], n) => sql`${raw(column)} = ${values[n]!}`);
	return inDatabase(source, (tx) =>
		tx.all(
			sql`UPDATE ${raw(tables[kind].table)} SET ${joinSql(set, ", ")} ${whereIn(kind, where)}`,
		),
	);
}

export const removeRows = <K extends TableName>(
	source: AnyDatabase,
	kind: K,
	where: RowFilter<K> = {},
) =>
	inDatabase(source, (tx) =>
		tx.all(sql`DELETE FROM ${raw(tables[kind].table)} ${whereIn(kind, where)}`),
	);
