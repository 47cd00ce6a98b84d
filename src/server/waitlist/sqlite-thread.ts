import { existsSync, statSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import type { StatementSyncInstance } from "@photostructure/sqlite";
import type { FromThread } from "../thread.ts";
import { PROBE, PROBE_KEY } from "./schema.ts";
import { connectSqlite, named } from "./sqlite-connection.ts";
import type { Statement } from "./waitlist.ts";

/** A request: to run statements in one transaction, to probe, to end. The answer is the rows of each. */
export type ToThread = { run: readonly Statement[] } | { probe: true } | { close: true };

/** What a thread is started with. */
export interface ThreadData {
	file: string;
	/** Whether an earlier thread had the file open. */
	again: boolean;
}

/** How often to see whether the file is still there. Each join looks as well. */
const WATCH_MS = 250;

/** Failures that pass by themselves, so that the connection may stay: a foreign lock, a full disk. */
const PASSING = /database (?:table )?is locked|database or disk is full/;

/**
 * The thread that owns the SQLite file. Every SQLite driver blocks its thread while the disk is
 * busy or a lock is held, for up to two seconds. The server's own thread goes on meanwhile.
 */
const port = parentPort!;
const say = (message: FromThread<object[][]>) => port.postMessage(message);

const { file, again } = workerData as ThreadData;
// Opening would make a new file, in which nobody is on the list.
if (again && !existsSync(file)) throw new Error("it was deleted or moved");
const connection = connectSqlite(file);
/** The file, its journal with the latest rows, and through what SQLite's processes know of each other. */
const places = [file, `${file}-wal`, `${file}-shm`] as const;
const opened = places.map(idOf);
/** By their text. The server has few. */
const prepared = new Map<string, StatementSyncInstance>();
/** Whether the file was missing at the last look. */
let missing = false;
/** Whether one of the three was not in its place at the last look. */
let lost = false;
const watch = setInterval(isInPlace, WATCH_MS);
say({ ready: true });

/**
 * Whether the open files still have their names. Without them the rows would go to a file that nobody
 * will find, or another process would write over them. The connection stays open then: the file may
 * come back, and a deleted one can be copied from /proc as long as this process lives.
 */
function isInPlace(): boolean {
	const found = places.map(idOf);
	const [isFile, isJournal, isKnown] = found.map((id, n) => id === opened[n]);
	const isHere = isFile === true && isJournal === true && isKnown === true;
	// With only the last one gone, the journal is whole, and another process may be writing to it.
	if (!(isFile && isJournal) && !lost) emptyJournal();
	missing = found[0] === undefined;
	lost = !isHere;
	return isHere;
}

/** Tells files apart that have had the same name. */
function idOf(path: string): string | undefined {
	const found = statSync(path, { bigint: true, throwIfNoEntry: false });
	return found && `${found.dev} ${found.ino}`;
}

/** Puts all rows into the moved file, and leaves none for a file that takes its place. */
function emptyJournal(): void {
	try {
		connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
	} catch {
		// A locked or full disk. Opening another file beside this journal is refused.
	}
}

function whereItWent(): string {
	if (missing) {
		return `${file} was deleted or moved: put it back, or restore a backup and restart the server`;
	}
	const changed = places.find((place, n) => idOf(place) !== opened[n]) ?? file;
	return `${changed} is not the file that was opened: restart the server`;
}

/** A statement alone is a transaction by itself. */
function run(statements: readonly Statement[]): object[][] {
	return statements.length === 1 ? [rowsOf(statements[0]!)] : atOnce(() => statements.map(rowsOf));
}

function rowsOf({ sql, parameters = [] }: Statement): object[] {
	let statement = prepared.get(sql);
	if (!statement) {
		statement = connection.prepare(sql);
		prepared.set(sql, statement);
	}
	return statement.all(named(parameters));
}

function atOnce<Result>(work: () => Result): Result {
	connection.exec("BEGIN IMMEDIATE");
	try {
		const result = work();
		connection.exec("COMMIT");
		return result;
	} catch (error) {
		try {
			connection.exec("ROLLBACK");
		} catch {
			// A full disk has rolled back by itself.
		}
		throw error;
	}
}

/** Adds a row, deletes it and commits: only a commit meets a full disk. Nobody else sees the row. */
function probe(): object[][] {
	atOnce(() => {
		connection.exec(`${PROBE}; DELETE FROM registration WHERE email_key = '${PROBE_KEY}'`);
	});
	return [];
}

port.on("message", (message: ToThread) => {
	if ("close" in message) {
		clearInterval(watch);
		// Closing would empty and delete the journal of a file that has taken its place.
		if (!isInPlace()) process.exit();
		// Moves the journal into the file, which is then complete by itself.
		connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
		connection.close();
		port.close();
		return;
	}
	if (!isInPlace()) return say({ failed: whereItWent() });
	try {
		const answer = "probe" in message ? probe() : run(message.run);
		say(isInPlace() ? { answer } : { failed: whereItWent() });
	} catch (error) {
		const failed = error instanceof Error ? error.message : String(error);
		say({ failed });
		// After any other failure the connection cannot be trusted: end the thread, for a new one to start.
		if (!PASSING.test(failed)) throw error;
	}
});
