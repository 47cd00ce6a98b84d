declare const ROW: unique symbol;

type Value = string | number;

/** A statement that both databases understand, with its parameters `$1`, `$2`, …: see dialect.ts. */
export interface Statement<Row extends object = object> {
	text: string;
	parameters: readonly Value[];
	/** For the compiler only: the type of its rows. */
	[ROW]?: Row;
}

/**
 * A statement with its parameters. A statement may be part of another one.
 *
 * ```ts
 * sql<{ step: number }>`SELECT step FROM outbox WHERE one = ${1}`
 * ```
 *
 * Write out the values that a partial index depends on: with a parameter instead, SQLite reads the
 * whole table.
 */
export function sql<Row extends object = object>(
	texts: TemplateStringsArray,
	...values: readonly (Value | Statement)[]
): Statement<Row> {
	const parameters: Value[] = [];
	let text = texts[0]!;
	for (const [n, value] of values.entries()) {
		if (typeof value === "object") {
			const before = parameters.length;
			text += value.text.replace(/\$(\d+)/g, (_, place) => `$${before + Number(place)}`);
			parameters.push(...value.parameters);
		} else {
			text += `$${parameters.push(value)}`;
		}
		text += texts[n + 1]!;
	}
	return { text, parameters };
}

/** SQL as it is: names, and values that an index depends on. Never anything from outside. */
export const raw = (text: string | number): Statement => ({ text: `${text}`, parameters: [] });

/** A table for FROM, with each array as JSON in the column `value`. */
export const rowsIn = (rows: readonly unknown[]): Statement =>
	sql`json_rows(${JSON.stringify(rows)})`;

/** As in `email_key IN ${keysIn(keys)}`. */
export const keysIn = (keys: Iterable<string>): Statement =>
	sql`json_texts(${JSON.stringify([...keys])})`;

export const keysOf = (rows: readonly { key: string }[]): string[] => rows.map(({ key }) => key);

/** As in `a AND b`. */
export const joinSql = (parts: readonly Statement[], separator: string): Statement =>
	parts.reduce((one, other) => sql`${one}${raw(separator)}${other}`);

export const countWhere = (condition: Statement): Statement =>
	sql`CAST(count(CASE WHEN ${condition} THEN 1 END) AS INTEGER)`;

/** Runs statements in an open transaction, or each as its own transaction. */
export interface Tx {
	all<Row extends object>(statement: Statement<Row>): Promise<Row[]>;
	first<Row extends object>(statement: Statement<Row>): Promise<Row | undefined>;
}

export function txOver(all: Tx["all"]): Tx {
	return { all, first: async (statement) => (await all(statement))[0] };
}

/**
 * A transaction as a function, next to the data: in the thread of an SQLite file, or on a connection to
 * PostgreSQL, where it may run again after a conflict. So it waits for nothing but its statements and
 * changes nothing but the database, except that `suppress` appends to the suppression file. Input and
 * result are copied between threads.
 */
export type Transaction<Input, Result> = (tx: Tx, input: Input) => Promise<Result>;

/** Resolves when the transaction is synced to disk. A server runs those of src/server/transactions.ts only. */
export type Transact = <Input, Result>(
	transaction: Transaction<Input, Result>,
	input: Input,
) => Promise<Result>;

/** The transactions that a thread can run, by name. */
// biome-ignore lint/suspicious/noExplicitAny: each has its own input.
export type Transactions = Readonly<Record<string, Transaction<any, unknown>>>;

export async function runEach(tx: Tx, statements: readonly Statement[]): Promise<void> {
	for (const one of statements) await tx.all(one);
}

/** @param from what follows FROM */
export async function countRows(tx: Tx, from: Statement): Promise<number> {
	const row = await tx.first(
		sql<{ rows: number }>`SELECT CAST(count(*) AS INTEGER) AS "rows" FROM ${from}`,
	);
	return row!.rows;
}

/** @param from what follows FROM */
export const isAnyRow = async (tx: Tx, from: Statement): Promise<boolean> =>
	(await tx.all(sql`SELECT 1 AS one FROM ${from} LIMIT 1`)).length > 0;

/** Reads rows a page at a time. @param read returns `most` rows after one, and fewer at the end */
export async function* inPages<Row>(
	most: number,
	read: (after: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
	for (let after: Row | undefined; ; ) {
		const page = await read(after);
		if (page.length > 0) yield page;
		if (page.length < most) return;
		after = page.at(-1)!;
	}
}
