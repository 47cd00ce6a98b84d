import { parentPort, workerData } from "node:worker_threads";
import { SqliteFile } from "./sqlite-file.ts";

/** What is asked of it: to add rows (see `rowsAsJson`), to read a little, to end. */
export type ToThread = { add: string } | { probe: true } | { close: true };

/** What the thread answers, in the order it was asked; first of all that it is open. */
export type FromThread = { opened: true } | { added: string[] } | { failed: string };

/** What passes by itself, so that the connection may stay: somebody else's lock, a full disk. */
const PASSING = /database (?:table )?is locked|database or disk is full/;

/**
 * The thread that owns the SQLite file. Every SQLite driver blocks while the disk is busy or a
 * lock is held, for up to two seconds: here that stops nobody else.
 */
const port = parentPort!;
const answer = (message: FromThread) => port.postMessage(message);

const file = new SqliteFile((workerData as { file: string }).file);
answer({ opened: true });

port.on("message", (message: ToThread) => {
	if ("close" in message) {
		file.close();
		port.close();
		return;
	}
	try {
		if ("probe" in message) file.probe();
		answer({ added: "add" in message ? file.add(message.add) : [] });
	} catch (error) {
		const failed = error instanceof Error ? error.message : String(error);
		answer({ failed });
		// After anything else the connection is not to be trusted: end here, to be started anew.
		if (!PASSING.test(failed)) throw error;
	}
});
