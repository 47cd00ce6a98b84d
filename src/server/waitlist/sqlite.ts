import { openThread } from "../thread.ts";
import { join, keysOf, rowsAsJson, sqlite } from "./schema.ts";
import type { ThreadData, ToThread } from "./sqlite-thread.ts";
import { threadUrl } from "./sqlite-thread.ts?thread";
import { cannotOpen, type Joining, type Ledger } from "./waitlist.ts";

/**
 * Opens the waitlist kept in an SQLite file, which belongs to a thread of its own. If the thread
 * dies, its open requests fail, and the next request starts a new thread.
 *
 * @param file absolute path; created when missing, with the folders above it
 * @throws Error with a sentence about the file when it cannot be opened
 */
export async function openSqlite(
	file: string,
	{ joining = join(sqlite) }: { joining?: Joining | undefined } = {},
): Promise<Ledger> {
	const thread = await openThread<ToThread, object[][]>({
		url: threadUrl,
		name: "waitlist",
		data: (again) => ({ file, again }) satisfies ThreadData,
		cannotStart: (cause) => cannotOpen(file, cause),
	});
	return {
		async add(registrations) {
			const [added] = await thread.ask({ run: joining(rowsAsJson(registrations)) });
			return keysOf(added as { key: string }[]);
		},
		run: (statements) => thread.ask({ run: statements }),
		async probe() {
			await thread.ask({ probe: true });
		},
		close: () => thread.end({ close: true }),
	};
}
