import { openThread } from "../../thread.ts";
import { byName, cannotOpen, type ServerDatabase, type Statement } from "../database.ts";
import { sqlite } from "../dialect.ts";
import type { Transaction, Transactions } from "../transaction.ts";
import type { ThreadData, ToThread } from "./thread.ts";

/**
 * Opens an SQLite file for a server, on a thread of its own. If the thread dies, its open requests
 * fail, and the next request starts a new thread. A thread ends itself when the journal under it was
 * replaced.
 *
 * @param file absolute path; created when missing, with the folders above it
 * @param threadUrl of a module that serves these transactions
 * @throws Error with a sentence about the file when it cannot be opened
 */
export async function openSqliteOnThread(
	file: string,
	{ threadUrl, transactions }: { threadUrl: string; transactions: Transactions },
): Promise<ServerDatabase> {
	const replaced = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
	const thread = await openThread<ToThread, unknown>({
		url: threadUrl,
		name: "waitlist",
		data: (again) => ({ file, again, replaced }) satisfies ThreadData,
		cannotStart: (cause) => cannotOpen(file, cause),
	});
	const rowsOf = (statements: readonly Statement[]) =>
		thread.ask({ run: statements }) as Promise<object[][]>;
	const run = byName(rowsOf);
	const names = new Map(Object.entries(transactions).map(([name, one]) => [one, name]));
	return {
		dialect: sqlite,
		async query<Row extends object>(sql: string, parameters: readonly (string | number)[] = []) {
			const [rows] = await rowsOf([{ sql, parameters }]);
			return rows as Row[];
		},
		run,
		async transact<Input, Result>(transaction: Transaction<Input, Result>, input: Input) {
			const name = names.get(transaction);
			if (name === undefined) throw new Error(`transactions.ts does not list ${transaction.name}`);
			return (await thread.ask({ transaction: name, input })) as Result;
		},
		commit: run,
		async probe({ add, remove }) {
			// Only a commit meets a full disk. Nobody else sees the row.
			await run({ add, remove });
		},
		close: () => thread.end({ close: true }),
	};
}
