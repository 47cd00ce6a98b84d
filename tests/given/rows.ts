import type { SharedDatabase } from "../../src/server/database/database.ts";
import { openDatabase } from "../../src/server/database/open-database.ts";
import type { DatabaseSettings } from "../../src/server/settings.ts";
import { type Fields, THEN, tables } from "./tables.ts";

type Tables = typeof tables;
type Database = Pick<SharedDatabase, "query" | "dialect">;

/** A database, or anything that knows where one is. */
export type Source = Database | { settings: DatabaseSettings } | { file: string };

export type Kind = keyof Tables;
type FieldsOf<K extends Kind> = Tables[K]["fields"];

/** A row as a test reads it: a time is ISO 8601, '' is never. */
export type Row<K extends Kind> = {
	-readonly [Name in keyof FieldsOf<K>]: FieldsOf<K>[Name] extends readonly [string, number]
		? number
		: string;
};

/** A row as a test writes it: `true` is {@link THEN} or 1, `false` is never or 0. */
export type Given<K extends Kind> = {
	[Name in keyof Row<K>]?: Row<K>[Name] | boolean | Date;
};

/** The value of a field, or several that it may have. */
export type Where<K extends Kind> = {
	[Name in keyof Row<K>]?: Row<K>[Name] | readonly Row<K>[Name][];
};

async function inDatabase<Result>(source: Source, work: (database: Database) => Promise<Result>) {
	if ("query" in source) return work(source);
	const settings =
		"file" in source ? { kind: "sqlite" as const, file: source.file } : source.settings;
	const database = await openDatabase(settings, { create: true });
	try {
		return await work(database);
	} finally {
		await database.close();
	}
}

const fieldsOf = (kind: Kind): Fields => tables[kind].fields;

/** SQL for the rows of a kind, by the names of their fields. */
function viewOf(kind: Kind): string {
	const columns = Object.entries(fieldsOf(kind)).map(
		([name, [column]]) => `${column} AS "${name}"`,
	);
	return `SELECT ${columns} FROM ${tables[kind].table}`;
}

/** SQL for what follows SELECT, and its parameters. */
function from<K extends Kind>(kind: K, where: Where<K>) {
	const parameters: (string | number)[] = [];
	const conditions = Object.entries(where).map(([name, value]) => {
		const values = [value].flat().map((one) => `$${parameters.push(one as string | number)}`);
		return `"${name}" IN (${values.join() || "NULL"})`;
	});
	const sql = `FROM (${viewOf(kind)}) AS given WHERE ${["true", ...conditions].join(" AND ")}`;
	return { sql, parameters };
}

const keyNames = (kind: Kind) => tables[kind].key.map((name) => `"${name}"`);

/** Reads rows in the order of their keys. */
export function rowsOf<K extends Kind>(
	source: Source,
	kind: K,
	where: Where<K> = {},
): Promise<Row<K>[]> {
	const { sql, parameters } = from(kind, where);
	return inDatabase(source, ({ query }) =>
		query<Row<K>>(`SELECT * ${sql} ORDER BY ${keyNames(kind)}`, parameters),
	);
}

/** Counts rows, where there may be too many to read. */
export async function countOf<K extends Kind>(source: Source, kind: K, where: Where<K> = {}) {
	const { sql, parameters } = from(kind, where);
	const [row] = await inDatabase(source, ({ query }) =>
		query<{ n: number }>(`SELECT CAST(count(*) AS INT) AS n ${sql}`, parameters),
	);
	return row!.n;
}

/** Reads every row, also the columns that have no name here: a copy has to keep them. */
export async function everythingIn(source: Source) {
	const rows: Partial<Record<Kind, Record<string, string | number>[]>> = {};
	await inDatabase(source, async ({ query }) => {
		for (const kind of Object.keys(tables) as Kind[]) {
			const names = new Map(
				Object.entries(fieldsOf(kind)).map(([name, [column]]) => [column, name]),
			);
			const found = await query<Record<string, string | number>>(
				`SELECT * FROM ${tables[kind].table}`,
			);
			rows[kind] = found.map((row) =>
				Object.fromEntries(
					Object.entries(row).map(([column, is]) => [names.get(column) ?? column, is ?? ""]),
				),
			);
		}
	});
	return rows as Record<Kind, Record<string, string | number>[]>;
}

/** The values of a row, in the order of its fields. */
const valuesOf = (fields: [string, Fields[string]][], row: Record<string, unknown>) =>
	fields.map(([name, [, usual]]): string | number => {
		const value = row[name] ?? (typeof usual === "function" ? usual(row) : usual);
		if (value instanceof Date) return value.toISOString();
		if (typeof value !== "boolean") return value as string | number;
		return typeof usual === "number" ? Number(value) : value ? THEN : "";
	});

/** Adds rows that name the same fields. Rows that are there change in these alone. */
async function addTo(
	{ query, dialect }: Database,
	kind: keyof Tables,
	rows: readonly Record<string, unknown>[],
): Promise<void> {
	const { table, key }: { table: string; key: readonly string[] } = tables[kind];
	const fields = Object.entries<Fields[string]>(tables[kind].fields);
	const columns = fields.map(([, [column]]) => column);
	const values = fields.map(([, [, usual]], n) =>
		typeof usual === "number" ? `CAST(value->>${n} AS BIGINT)` : `value->>${n}`,
	);
	const unique = fields.filter(([name]) => key.includes(name)).map(([, [column]]) => column);
	const set = fields
		// The spelling of an address stays.
		.filter(([name]) => rows[0]![name] !== undefined && name !== "email" && !key.includes(name))
		.map(([, [column]]) => `${column} = excluded.${column}`);
	await query(
		`INSERT INTO ${table} (${columns}) SELECT ${values} FROM ${dialect.jsonRows} WHERE true
		ON CONFLICT (${unique}) DO ${set.length > 0 ? `UPDATE SET ${set}` : "NOTHING"}`,
		[JSON.stringify(rows.map((row) => valuesOf(fields, row)))],
	);
}

/** A longer text of rows needs much memory. */
const MOST_ROWS = 10_000;

/** Adds rows, or changes those that are there: only the fields that are named. */
export function add<K extends Kind>(source: Source, kind: K, rows: Iterable<Given<K>>) {
	return inDatabase(source, async (database) => {
		const alike = new Map<string, Given<K>[]>();
		const addAll = async (some: Given<K>[]) => {
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

/** SQL for the rows of a table, by their keys. @param keys what follows IN */
const keysIn = (kind: keyof Tables, keys: string) =>
	`(${tables[kind].key.map((name) => (tables[kind].fields as Fields)[name]![0])}) IN ${keys}`;

/** Changes some rows, or all. */
export function change<K extends Kind>(
	source: Source,
	kind: K,
	changes: Given<K>,
	where: Where<K> = {},
) {
	return inDatabase(source, async (database) => {
		const { sql, parameters } = from(kind, where);
		const fields = Object.entries<Fields[string]>(tables[kind].fields);
		const named = fields.filter(([name]) => name in changes);
		const first = parameters.length + 1;
		const set = named.map(([, [column]], n) => `${column} = $${first + n}`);
		await database.query(
			`UPDATE ${tables[kind].table} SET ${set}
			WHERE ${keysIn(kind, `(SELECT ${keyNames(kind)} ${sql})`)}`,
			[...parameters, ...valuesOf(named, changes)],
		);
	});
}

/** Removes some rows, or all, as a kill or an earlier backup loses them. */
export function remove<K extends Kind>(source: Source, kind: K, where: Where<K> = {}) {
	return inDatabase(source, ({ query }) => {
		const { sql, parameters } = from(kind, where);
		const keys = `(SELECT ${keyNames(kind)} ${sql})`;
		return query(`DELETE FROM ${tables[kind].table} WHERE ${keysIn(kind, keys)}`, parameters);
	});
}
