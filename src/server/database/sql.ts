declare const ROW: unique symbol;

type Value = string | number;

/** A statement with parameters `$1`, `$2`, … in the common SQL of dialect.ts. */
export interface Statement<Row extends object = object> {
	text: string;
	parameters: readonly Value[];
	/** Only for type inference; never set. */
	[ROW]?: Row;
}

/**
 * Builds a statement, which may include others.
 *
 * ```ts
 * sql<{ size: number }>`SELECT size FROM wave WHERE name = ${"beta-1"}`
 * ```
 *
 * Partial indexes need literal values: with a parameter, SQLite scans the whole table.
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

/** Inserts unescaped SQL: names, and literals for partial indexes. Never use it for input. */
export const raw = (text: string | number): Statement => ({ text: `${text}`, parameters: [] });

/** Table expression for FROM: one row per array, as JSON in the column `value`. */
export const rowsSql = (rows: readonly unknown[]): Statement =>
	sql`json_rows(${JSON.stringify(rows)})`;

/** Usage: `email_key IN ${keysSql(keys)}`. */
export const keysSql = (keys: Iterable<string>): Statement =>
	sql`json_texts(${JSON.stringify([...keys])})`;

export const keysOf = (rows: readonly { key: string }[]): string[] => rows.map(({ key }) => key);

export const selectKeys = async (tx: Tx, statement: Statement): Promise<string[]> =>
	keysOf(await tx.all(statement as Statement<{ key: string }>));

/** Usage: `joinSql([a, b], " AND ")`. */
export const joinSql = (parts: readonly Statement[], separator: string): Statement =>
	parts.reduce((one, other) => sql`${one}${raw(separator)}${other}`);

export const countWhereSql = (condition: Statement): Statement =>
	sql`CAST(count(CASE WHEN ${condition} THEN 1 END) AS INTEGER)`;

/** Runs statements in an open transaction, or each in its own. */
export interface Tx {
	all<Row extends object>(statement: Statement<Row>): Promise<Row[]>;
	first<Row extends object>(statement: Statement<Row>): Promise<Row | undefined>;
}

export function createTx(all: Tx["all"]): Tx {
	return { all, first: async (statement) => (await all(statement))[0] };
}

/** May run again after a conflict, so a transaction must await only statements and change only the database. */
export type Transaction<Input, Result> = (tx: Tx, input: Input) => Promise<Result>;

/** Resolves once the transaction is on disk. Servers run only transactions in src/server/transactions.ts. */
export type Transact = <Input, Result>(
	transaction: Transaction<Input, Result>,
	input: Input,
) => Promise<Result>;

// biome-ignore lint/suspicious/noExplicitAny: each has its own input.
export type Transactions = Readonly<Record<string, Transaction<any, unknown>>>;

export async function runEach(tx: Tx, statements: readonly Statement[]): Promise<void> {
	for (const one of statements) await tx.all(one);
}

/** @param from table and condition, as after FROM */
export async function countRows(tx: Tx, from: Statement): Promise<number> {
	const row = await tx.first(
		sql<{ rows: number }>`SELECT CAST(count(*) AS INTEGER) AS "rows" FROM ${from}`,
	);
	return row!.rows;
}

export const hasRow = async (tx: Tx, from: Statement): Promise<boolean> =>
	(await tx.all(sql`SELECT 1 AS one FROM ${from} LIMIT 1`)).length > 0;

/** Reads rows in pages. `read` returns the rows that follow `after`: `most`, or fewer for the last page. */
export async function* readInPages<Row>(
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
