import type { Dialect } from "./dialect.ts";
import type { Transact } from "./transaction.ts";

declare const ROW: unique symbol;

/** A statement in SQL that both databases understand, with parameters `$1`, `$2`, … */
export interface Statement<Row extends object = object> {
	sql: string;
	/** As many as the statement names. */
	parameters?: Parameters;
	/** Only for the compiler: what its rows are. */
	[ROW]?: Row;
}

/** What stands for `$1`, `$2` … in a statement. */
export type Parameters = readonly (string | number)[];

/** A statement that gives such rows. */
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

/** Collects the parameters of a statement as its SQL is put together. */
export function collect(...parameters: (string | number)[]) {
	return {
		parameters,
		/** Adds one, and gives its name in the SQL. */
		put: (value: string | number) => `$${parameters.push(value)}`,
	};
}

export type Put = ReturnType<typeof collect>["put"];

/** The statements of a transaction in their order, by names that are no numbers. */
export type Statements = Readonly<Record<string, Statement | readonly Statement[]>>;

/** The rows of each statement, by its name. */
export type Results<Asked extends Statements> = {
	[Name in keyof Asked]: Asked[Name] extends Statement<infer Row>
		? Row[]
		: Asked[Name] extends readonly Statement<infer Row>[]
			? Row[][]
			: never;
};

/** Asks a question in SQL that both databases understand, with parameters `$1`, `$2`, … */
export type Query = <Row extends object>(sql: string, parameters?: Parameters) => Promise<Row[]>;

/**
 * Runs statements in one transaction, and gives the rows of each once the transaction is synced to
 * disk.
 *
 * @throws when nothing is known to be stored
 */
export type Run = <Asked extends Statements>(statements: Asked) => Promise<Results<Asked>>;

/** The waitlist's database, as whoever asks something of it may use it. */
export interface SharedDatabase {
	/** Where it is, for people. */
	place: string;
	dialect: Dialect;
	query: Query;
	run: Run;
	transact: Transact;
	/** Runs a transaction that only reads, and may take long: writers do not wait for it. */
	read: Transact;
	/**
	 * Makes sure that no erased row is left in a file of ours, as far as that can be done. A command waits
	 * for it. A server does it beside its work, and tries until it is done.
	 *
	 * @param texts of the erased rows, which are looked for
	 * @throws Error with a sentence for the operator when the journal could not be emptied
	 */
	forget(texts?: readonly string[]): Promise<void>;
}

/** Runs one statement. */
export const ask = <Row extends object>(
	query: Query,
	{ sql, parameters }: Statement<Row>,
): Promise<Row[]> => query<Row>(sql, parameters);

/** Runs statements one after the other, in a transaction that is open. */
export async function runEach(query: Query, statements: readonly Statement[]): Promise<void> {
	for (const one of statements) await ask(query, one);
}

/** The database of a server: a transaction arrives as a whole, so that no visitor waits while another one's call decides. */
export interface ServerDatabase extends SharedDatabase {
	/**
	 * The same for the one transaction that visitors wait for: a statement that is alone in it is
	 * planned once, and what is given is proved to survive a crash.
	 */
	commit: Run;
	/**
	 * Resolves when the database has shown that it would keep a row, and none is left.
	 *
	 * @throws for the reasons for which a join would fail
	 */
	probe(row: { add: Statement; remove: Statement }): Promise<void>;
	/** Leaves the database closed and complete. */
	close(): Promise<void>;
}

/** One thing that was checked. */
export interface Finding {
	name: string;
	ok: boolean;
	/** What was found, in words. */
	found: string;
}

/** A connection of one's own, as the command has it, beside a running server or alone. */
export interface Database extends SharedDatabase {
	/** All that is done in it happens at once, or not at all. */
	transaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result>;
	/** Reads in it see the database as it was at the start, whatever a server writes meanwhile. */
	snapshot<Result>(work: (query: Query) => Promise<Result>): Promise<Result>;
	/**
	 * Writes everything as it is now into an empty waitlist, and compares the two row by row. Only
	 * where the database can do so by itself.
	 *
	 * @param file an SQLite file that holds the schema and no row
	 * @throws Error with a sentence for the operator when the two differ
	 */
	copyInto?(file: string): Promise<void>;
	/** Checks everything that can be wrong with the database itself. */
	check(): Promise<Finding[]>;
	close(): Promise<void>;
}

/** Gives statements their names, for a database that runs a list of them in one transaction. */
export function byName(runAll: (statements: readonly Statement[]) => Promise<object[][]>): Run {
	return async <Asked extends Statements>(statements: Asked) => {
		const results = (await runAll(Object.values(statements).flat())).values();
		const next = () => results.next().value;
		const named = Object.entries(statements).map(([name, asked]) => [
			name,
			Array.isArray(asked) ? asked.map(next) : next(),
		]);
		return Object.fromEntries(named) as Results<Asked>;
	};
}

/**
 * Says to the operator why a waitlist cannot be used.
 *
 * @param place where it is, for people
 */
export function cannotOpen(place: string, cause: unknown): Error {
	return new Error(`The waitlist ${place} cannot be opened: ${reasonOf(cause)}.`, { cause });
}

function reasonOf(cause: unknown): string {
	// Node puts the failures at all addresses of a host name into one error.
	if (cause instanceof AggregateError) return reasonOf(cause.errors[0]);
	return cause instanceof Error ? cause.message : String(cause);
}
