import { Worker } from "node:worker_threads";
import { insertStatement, keysOf, rowsAsJson, sqlite } from "./schema.ts";
import type { FromThread, ThreadData, ToThread } from "./sqlite-thread.ts";
import { threadUrl } from "./sqlite-thread.ts?thread";
import { type Alongside, cannotOpen, type Ledger } from "./waitlist.ts";

const INSERT = insertStatement(sqlite);

/** How long no new thread is started after one that could not open its file. */
const RESTART_AFTER_MS = 1000;

/** A running thread, with the file open. */
interface Thread {
	/** Resolves with the rows of each statement. */
	ask(message: ToThread): Promise<object[][]>;
	/** Resolves when the file is closed and the thread is gone. */
	close(): Promise<void>;
	readonly gone: Promise<unknown>;
}

/**
 * Opens the waitlist kept in an SQLite file, which belongs to a thread of its own. If the thread
 * dies, its open requests fail, and the next request starts a new thread.
 *
 * @param file absolute path; created when missing, with the folders above it
 * @throws Error with a sentence about the file when it cannot be opened
 */
export async function openSqlite(
	file: string,
	{ alongside = () => [] }: { alongside?: Alongside | undefined } = {},
): Promise<Ledger> {
	let running: Promise<Thread> | undefined;
	let again = false;

	function thread(): Promise<Thread> {
		if (running) return running;
		const started = startThread({ file, again });
		running = started;
		const restart = () => {
			if (running === started) running = undefined;
		};
		started.then(
			({ gone }) => gone.then(restart),
			() => setTimeout(restart, RESTART_AFTER_MS).unref(),
		);
		return started;
	}

	await thread();
	again = true;
	const ask = async (message: ToThread) => (await thread()).ask(message);
	return {
		async add(registrations) {
			const rows = rowsAsJson(registrations);
			const run = [{ sql: INSERT, parameters: [rows] }, ...alongside(rows)];
			const [added] = await ask({ run });
			return keysOf(added as { key: string }[]);
		},
		run: (statements) => ask({ run: statements }),
		async probe() {
			await ask({ probe: true });
		},
		async close() {
			const last = await running?.catch(() => undefined);
			await last?.close();
		},
	};
}

function startThread(data: ThreadData): Promise<Thread> {
	const worker = new Worker(new URL(threadUrl), { name: "waitlist", workerData: data });
	const say = (message: ToThread) => worker.postMessage(message);
	const asked: { resolve: (rows: object[][]) => void; reject: (reason: Error) => void }[] = [];
	let cause = new Error("its thread ended");
	let ended = false;

	return new Promise((opened, refused) => {
		const gone = new Promise<void>((resolve) => {
			worker.on("exit", () => {
				ended = true;
				for (const { reject } of asked.splice(0)) reject(cause);
				refused(cannotOpen(data.file, cause));
				resolve();
			});
		});
		worker.on("error", (error) => {
			cause = error instanceof Error ? error : new Error(String(error));
		});
		worker.on("message", (message: FromThread) => {
			if ("opened" in message) {
				opened({
					ask: (message) =>
						new Promise((resolve, reject) => {
							if (ended) return reject(cause);
							asked.push({ resolve, reject });
							say(message);
						}),
					async close() {
						say({ close: true });
						await gone;
					},
					gone,
				});
			} else if ("rows" in message) asked.shift()?.resolve(message.rows);
			else asked.shift()?.reject(new Error(message.failed));
		});
	});
}
