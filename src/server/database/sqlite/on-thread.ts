import { openThread } from "../../thread.ts";
import { byName, cannotOpen, type ServerDatabase } from "../database.ts";
import { sqlite } from "../dialect.ts";
import type { ThreadData, ToThread } from "./thread.ts";
import { threadUrl } from "./thread.ts?thread";

/**
 * Opens an SQLite file for a server, on a thread of its own. If the thread dies, its open requests
 * fail, and the next request starts a new thread. A thread ends itself when the journal under it was
 * replaced.
 *
 * @param file absolute path; created when missing, with the folders above it
 * @throws Error with a sentence about the file when it cannot be opened
 */
export async function openSqliteOnThread(file: string): Promise<ServerDatabase> {
	const replaced = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
	const thread = await openThread<ToThread, object[][]>({
		url: threadUrl,
		name: "waitlist",
		data: (again) => ({ file, again, replaced }) satisfies ThreadData,
		cannotStart: (cause) => cannotOpen(file, cause),
	});
	const run = byName((statements) => thread.ask({ run: statements }));
	return {
		dialect: sqlite,
		async query<Row extends object>(sql: string, parameters: readonly (string | number)[] = []) {
			const [rows] = await thread.ask({ run: [{ sql, parameters }] });
			return rows as Row[];
		},
		run,
		commit: run,
		async probe({ add, remove }) {
			// Only a commit meets a full disk. Nobody else sees the row.
			await run({ add, remove });
		},
		close: () => thread.end({ close: true }),
	};
}
