import { Worker } from "node:worker_threads";
import type { SharedDatabase } from "../database.ts";
import { createTx, type Statement, sql, type Transaction, type Transactions } from "../sql.ts";
import type { ThreadData, ThreadRequest, ThreadResponse } from "./thread.ts";

/**
 * Opens an SQLite file for a server. The first long read starts a second thread.
 *
 * @param end called when the writing thread has ended because its journal was deleted or moved
 */
export async function openSqliteOnThread(
	file: string,
	settings: { threadUrl: string; transactions: Transactions; end: (reason: string) => void },
): Promise<SharedDatabase> {
	const { threadUrl, transactions, end } = settings;
	const writer = startThread(threadUrl, { file, reads: false });
	let reader: Thread | undefined;
	let closed = false;
	const all = async <Row extends object>(statement: Statement<Row>) =>
		(await writer.ask({ statement })) as Row[];
	await all(sql`SELECT 1`);
	void writer.gone.then(({ message }) => closed || end(message));

	const names = new Map<unknown, string>(
		Object.entries(transactions).map(([name, one]) => [one, name]),
	);
	async function run<Input, Result>(
		transaction: Transaction<Input, Result>,
		input: Input,
		thread = writer,
	) {
		const name = names.get(transaction);
		if (name === undefined) throw new Error(`transactions.ts does not list ${transaction.name}`);
		return (await thread.ask({ transaction: name, input })) as Result;
	}

	return {
		place: file,
		...createTx(all),
		transact: (transaction, input) => run(transaction, input),
		async read(transaction, input) {
			if (closed) throw new Error("The database is closed.");
			// Lets the writing thread report a lost or replaced file. The reading thread would exit without a reason.
			await all(sql`SELECT 1`);
			if (!reader) {
				reader = startThread(threadUrl, { file, reads: true });
				void reader.gone.then(() => (reader = undefined));
			}
			return run(transaction, input, reader);
		},
		async forget() {
			await writer.ask({ forget: true });
		},
		async close() {
			closed = true;
			// A closing thread exits without a response, so `ask` rejects.
			for (const thread of [reader, writer]) await thread?.ask({ close: true }).catch(() => {});
		},
	};
}

type Thread = ReturnType<typeof startThread>;

function startThread(url: string, data: ThreadData) {
	const worker = new Worker(new URL(url), {
		name: data.reads ? "reading" : "waitlist",
		workerData: data,
	});
	const asked: { resolve: (answer: unknown) => void; reject: (reason: Error) => void }[] = [];
	let ended: Error | undefined;
	let cause = new Error("the thread of the database ended");
	worker.on("error", (error) => {
		cause = error instanceof Error ? error : new Error(String(error));
	});
	worker.on("message", (message: ThreadResponse) => {
		const { resolve, reject } = asked.shift()!;
		if ("failed" in message) reject(new Error(message.failed));
		else resolve(message.answer);
	});
	const gone = new Promise<Error>((resolve) => {
		worker.on("exit", () => {
			ended = cause;
			for (const { reject } of asked.splice(0)) reject(cause);
			resolve(cause);
		});
	});
	const ask = (message: ThreadRequest): Promise<unknown> =>
		new Promise((resolve, reject) => {
			if (ended) return reject(ended);
			asked.push({ resolve, reject });
			worker.postMessage(message);
		});
	return { gone, ask };
}
