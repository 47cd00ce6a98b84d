import { setTimeout as wait } from "node:timers/promises";
import { cannotOpen, type ServerDatabase } from "../database.ts";
import { type Statement, sql } from "../sql.ts";
import { runEach, type Transaction, type Transactions, txOver } from "../transaction.ts";
import { emptyJournal } from "./forget.ts";
import { createThread } from "./kept-thread.ts";
import type { ThreadData, ToThread } from "./thread.ts";

/** Between two attempts to overwrite erased rows, while another program reads. */
const FORGET_AGAIN_MS = 60_000;

/**
 * Opens an SQLite file for a server, on a thread that writes, and another one that starts with the first
 * long read. If a thread dies, its open requests fail, and the next request starts a new one.
 *
 * @param file absolute path; created when missing, with the folders above it
 * @param threadUrl of a module that serves these transactions
 * @param end ends the process, whose next one opens the file anew: its journal was deleted or moved
 * @throws Error with a sentence about the file when it cannot be opened
 */
export async function openSqliteOnThread(
	file: string,
	{
		threadUrl,
		transactions,
		end,
	}: { threadUrl: string; transactions: Transactions; end: (reason: string) => void },
): Promise<ServerDatabase> {
	const threadThat = (reads: boolean) =>
		createThread<ToThread, unknown>({
			url: threadUrl,
			name: reads ? "reading" : "waitlist",
			data: (again) => ({ file, reads, create: !reads && !again }) satisfies ThreadData,
			onEnding: end,
			cannotStart: (cause) => cannotOpen(file, cause),
		});
	const thread = threadThat(false);
	await thread.start();
	const reader = threadThat(true);
	let closed = false;
	async function request(message: ToThread, to = thread): Promise<unknown> {
		if (closed) throw new Error(`${file} is closed`);
		return to.ask(message);
	}
	const all = async <Row extends object>(statement: Statement<Row>) =>
		(await request({ statement })) as Row[];
	const tryToEmpty = () => request({ emptyJournal: true }) as Promise<boolean>;

	let toForget = false;
	let forgetting = false;
	async function forgetAll(): Promise<void> {
		forgetting = true;
		while (toForget && !closed) {
			toForget = false;
			try {
				await emptyJournal(file, tryToEmpty);
			} catch {
				// Closing the file empties the journal as well.
				toForget = true;
				await wait(FORGET_AGAIN_MS, undefined, { ref: false });
			}
		}
		forgetting = false;
	}

	const names = new Map<unknown, string>(
		Object.entries(transactions).map(([name, one]) => [one, name]),
	);
	function nameOf(transaction: { name: string }): string {
		const name = names.get(transaction);
		if (name === undefined) throw new Error(`transactions.ts does not list ${transaction.name}`);
		return name;
	}

	async function transact<Input, Result>(transaction: Transaction<Input, Result>, input: Input) {
		return (await request({ transaction: nameOf(transaction), input })) as Result;
	}

	return {
		place: file,
		...txOver(all),
		transact,
		async read<Input, Result>(transaction: Transaction<Input, Result>, input: Input) {
			const name = nameOf(transaction);
			// Fails while a file is lost.
			await all(sql`SELECT 1`);
			return (await request({ transaction: name, input }, reader)) as Result;
		},
		commit: transact,
		async probe({ add, remove }) {
			// Only a commit meets a full disk. Nobody else sees the row.
			await transact(runEach, [add, remove]);
		},
		async forget() {
			toForget = true;
			if (!forgetting) void forgetAll();
		},
		async close() {
			closed = true;
			await reader.end({ close: true });
			await thread.end({ close: true });
		},
	};
}
