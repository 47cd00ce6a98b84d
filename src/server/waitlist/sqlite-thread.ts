import { parentPort, workerData } from "node:worker_threads";
import { insertStatement, keysOf, PROBE, PROBE_KEY, sqlite } from "./schema.ts";
import { connectSqlite } from "./sqlite-connection.ts";

/** A request: to add rows (see `rowsAsJson`), to read a little, to end. */
export type ToThread = { add: string } | { probe: true } | { close: true };

/** The answers, in the order of the requests. The first message says that the file is open. */
export type FromThread = { opened: true } | { added: string[] } | { failed: string };

/** Failures that pass by themselves, so that the connection may stay: a foreign lock, a full disk. */
const PASSING = /database (?:table )?is locked|database or disk is full/;

/**
 * The thread that owns the SQLite file. Every SQLite driver blocks its thread while the disk is
 * busy or a lock is held, for up to two seconds. The server's own thread goes on meanwhile.
 */
const port = parentPort!;
const answer = (message: FromThread) => port.postMessage(message);

const connection = connectSqlite((workerData as { file: string }).file);
const insert = connection.prepare(insertStatement(sqlite));
answer({ opened: true });

/** Adds a row, deletes it and commits: only a commit meets a full disk. Nobody else sees the row. */
function probe(): void {
	connection.exec("BEGIN IMMEDIATE");
	try {
		connection.exec(`${PROBE}; DELETE FROM registration WHERE email_key = '${PROBE_KEY}'; COMMIT`);
	} catch (error) {
		try {
			connection.exec("ROLLBACK");
		} catch {
			// A full disk has rolled back by itself.
		}
		throw error;
	}
}

port.on("message", (message: ToThread) => {
	if ("close" in message) {
		// Moves the journal into the file, which is then complete by itself.
		connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
		connection.close();
		port.close();
		return;
	}
	try {
		if ("probe" in message) probe();
		answer({ added: "add" in message ? keysOf(insert.all({ $1: message.add })) : [] });
	} catch (error) {
		const failed = error instanceof Error ? error.message : String(error);
		answer({ failed });
		// After any other failure the connection cannot be trusted: end the thread, for a new one to start.
		if (!PASSING.test(failed)) throw error;
	}
});
