import { type Dialect, firstsOf, keysAsJson } from "./dialect.ts";
import type { Statement } from "./statement.ts";

/**
 * A statement with its parameters:
 *
 * ```ts
 * sql<{ step: number }>`SELECT step FROM outbox WHERE one = ${1}`
 * ```
 *
 * Another statement may be part of it. A value that a partial index depends on is written out: with a
 * parameter in its place, SQLite reads the whole table.
 */
export function sql<Row extends object = object>(
	texts: TemplateStringsArray,
	...values: readonly (string | number | Statement)[]
): Statement<Row> {
	const parameters: (string | number)[] = [];
	let text = texts[0]!;
	for (const [n, value] of values.entries()) {
		if (typeof value === "object") {
			const before = parameters.length;
			text += value.sql.replace(/\$(\d+)/g, (_, place) => `$${before + Number(place)}`);
			parameters.push(...(value.parameters ?? []));
		} else {
			text += `$${parameters.push(value)}`;
		}
		text += texts[n + 1]!;
	}
	return { sql: text, parameters };
}

/** A table of these arrays, each as JSON in a column named `value`, for the FROM of a statement. */
export const rowsIn = ({ dialect }: { dialect: Dialect }, rows: readonly unknown[]): Statement => ({
	sql: dialect.jsonRows,
	parameters: [JSON.stringify(rows)],
});

/** A list of the texts in a field of these rows, for the IN of a statement. */
export const fieldIn = <Name extends string>(
	over: { dialect: Dialect },
	rows: readonly Record<Name, string>[],
	name: Name,
): Statement =>
	keysIn(
		over,
		rows.map((row) => row[name]),
	);

/** A list of these keys, for the IN of a statement. */
export const keysIn = ({ dialect }: { dialect: Dialect }, keys: Iterable<string>): Statement => ({
	sql: firstsOf(dialect),
	parameters: [keysAsJson(keys)],
});
