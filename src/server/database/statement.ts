declare const ROW: unique symbol;

/** A statement in SQL that both databases understand, with parameters `$1`, `$2`, … */
export interface Statement<Row extends object = object> {
	sql: string;
	parameters?: Parameters;
	/** Only for the compiler: what its rows are. */
	[ROW]?: Row;
}

export type Parameters = readonly (string | number)[];

export function statement<Row extends object>(
	sql: string,
	...parameters: (string | number)[]
): Statement<Row> {
	return { sql, parameters };
}

/** A statement whose SQL stays the same, as a function of its parameters, `$1` first. */
export const prepare =
	<Given extends (string | number)[], Row extends object = object>(sql: string) =>
	(...parameters: Given): Statement<Row> => ({ sql, parameters });

/** Collects the parameters of a statement as its SQL is put together: `put` gives the name of each. */
export function collect(...parameters: (string | number)[]) {
	return { parameters, put: (value: string | number) => `$${parameters.push(value)}` };
}

export type Put = ReturnType<typeof collect>["put"];

export type Query = <Row extends object>(sql: string, parameters?: Parameters) => Promise<Row[]>;

export const ask = <Row extends object>(
	query: Query,
	{ sql, parameters }: Statement<Row>,
): Promise<Row[]> => query<Row>(sql, parameters);
