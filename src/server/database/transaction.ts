import type { Statement } from "./sql.ts";

/** Runs statements in an open transaction, or each as its own transaction. */
export interface Tx {
	all<Row extends object>(statement: Statement<Row>): Promise<Row[]>;
	first<Row extends object>(statement: Statement<Row>): Promise<Row | undefined>;
}

/**
 * A transaction as a function, next to the data: in the thread of an SQLite file, one at a time, or on a
 * connection to PostgreSQL, where it may run again after a conflict. So it waits for nothing but its
 * statements, and changes nothing but the database. One exception: `suppress` appends to the
 * suppression file before the commit. Input and result are copied between threads.
 */
export type Transaction<Input, Result> = (tx: Tx, input: Input) => Promise<Result>;

/**
 * Runs a transaction of src/server/transactions.ts, and returns its result once it is synced to disk.
 *
 * @throws when nothing is known to be stored
 */
export type Transact = <Input, Result>(
	transaction: Transaction<Input, Result>,
	input: Input,
) => Promise<Result>;

/** The transactions that a database can be asked to run, by their names. */
// biome-ignore lint/suspicious/noExplicitAny: each has its own input.
export type Transactions = Readonly<Record<string, Transaction<any, unknown>>>;

export async function runEach(tx: Tx, statements: readonly Statement[]): Promise<void> {
	for (const one of statements) await tx.all(one);
}

export function txOver(all: Tx["all"]): Tx {
	return { all, first: async (statement) => (await all(statement))[0] };
}
