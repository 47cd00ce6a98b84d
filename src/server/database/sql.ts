declare const ROW: unique symbol;

type Value = string | number;

/**
 * A statement that both databases understand, with its parameters `$1`, `$2`, …: see dialect.ts for the
 * few words that they spell differently.
 */
export interface Statement<Row extends object = object> {
	text: string;
	parameters: readonly Value[];
	/** For the compiler only: the type of its rows. */
	[ROW]?: Row;
}

/**
 * A statement with its parameters:
 *
 * ```ts
 * sql<{ step: number }>`SELECT step FROM outbox WHERE one = ${1}`
 * ```
 *
 * A statement may be part of another one. Write out the values that a partial index depends on: with a
 * parameter in their place, SQLite reads the whole table.
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

export const keysIn = (keys: Iterable<string>): Statement =>
	sql`(SELECT value->>0 FROM ${rowsIn(Array.from(keys, (key) => [key]))})`;

export const keysOf = (rows: readonly { key: string }[]): string[] => rows.map(({ key }) => key);

/** As in `a AND b`. */
export const joinSql = (parts: readonly Statement[], separator: string): Statement =>
	parts.reduce((one, other) => sql`${one}${raw(separator)}${other}`);

export const countWhere = (condition: Statement): Statement =>
	sql`CAST(count(CASE WHEN ${condition} THEN 1 END) AS INTEGER)`;
