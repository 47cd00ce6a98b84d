import { existsSync, statSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import type { FromThread } from "../../thread.ts";
import type { Statement } from "../database.ts";
import type { Transactions } from "../transaction.ts";
import { connectSqlite, prepareOnce, settleJournal } from "./connection.ts";
import { tryToEmptyJournal } from "./forget.ts";
import { type Place, rememberPlaces, WATCH_MS } from "./places.ts";

/**
 * A request: to run statements in one transaction, whose answer is the rows of each; to run a transaction
 * by its name; to try to empty the journal, whose answer is whether it is empty; or to end.
 */
export type ToThread =
	| { run: readonly Statement[] }
	| { transaction: string; input: unknown }
	| { emptyJournal: true }
	| { close: true };

/** What a thread is started with. */
export interface ThreadData {
	file: string;
	/** Whether the thread only reads. */
	reads: boolean;
	/** Whether an earlier thread had the file open. */
	again: boolean;
	/** Not 0 from when a thread lost the journal until the next one knows it settled. Shared. */
	replaced: Int32Array;
}

/** How long a new thread waits for others to close the file, while its visitors wait for it. */
const SETTLING_MS = 1500;

/** The time between two tries. */
const SETTLING_PAUSE_MS = 20;

/**
 * The look that ended one transaction serves the next one, if that follows within this time: a look
 * takes about 5 % of this thread's time under load, and a commit is as long.
 */
const FRESH_MS = 1;

/** Failures that pass by themselves, so that the connection may stay: a foreign lock, a full disk. */
const PASSING = /database (?:table )?is locked|database or disk is full/;

/**
 * The thread that owns the SQLite file. Every SQLite driver blocks its thread while the disk is
 * busy or a lock is held, for up to two seconds. The server's own thread goes on meanwhile.
 */
const port = parentPort!;
const say = (message: FromThread<unknown>) => port.postMessage(message);

const { file, reads, again, replaced } = workerData as ThreadData;
const settling = replaced[0] !== 0;
refuseMissing();
if (settling) settle();
const connection = connectSqlite(file, { create: !settling && !reads });
if (reads) connection.exec("PRAGMA query_only = ON");
// In a transaction of several statements SQLite keeps the pages that one of them changes, to undo it
// alone: beyond 64 kB in a file, unless told otherwise. In memory, each of 25 joins took 66 instead of
// 139 µs of CPU time.
connection.exec("PRAGMA temp_store = MEMORY");
const findLost = rememberPlaces(file);
const { runAll, transact } = prepareOnce(connection);
const begin = reads ? "BEGIN" : "BEGIN IMMEDIATE";
/** Whether the file was in its place at the last look. */
let fileIsInPlace = true;
/** When all files were last in their places, by `performance.now()`. */
let foundAt = Number.NEGATIVE_INFINITY;
const watch = setInterval(look, WATCH_MS);

/** Opening would make a new file, in which nobody is on the list. */
function refuseMissing(): void {
	if (again && !existsSync(file)) throw new Error("it was deleted or moved");
}

/**
 * Waits until nobody has the file open. Another program may still write to the journal that was
 * replaced, and two journals of one file destroy it. A connection of this process shares even the
 * index of the old journal with every new connection.
 */
function settle(): void {
	const deadline = performance.now() + SETTLING_MS;
	for (;;) {
		refuseMissing();
		try {
			settleJournal(file);
			replaced[0] = 0;
			return;
		} catch (error) {
			if (!PASSING.test(String(error))) throw error;
			if (performance.now() > deadline) {
				throw new Error(
					"its journal was replaced, and another program has had it open since: close that program",
				);
			}
		}
		Atomics.wait(replaced, 0, replaced[0]!, SETTLING_PAUSE_MS);
	}
}

/**
 * Looks whether the open files still have their names. Without the file itself the connection stays
 * open: the file may come back, and a deleted one can be copied from /proc as long as this process
 * lives. Without its journal the thread ends, for the next one to open the database anew.
 *
 * @returns why nothing can be acknowledged, or undefined
 */
function look(): string | undefined {
	const lost = findLost();
	if (reads && lost.length > 0) {
		// Saves nothing: its connection to a lost journal would keep the file from being reopened.
		end(whyNot(lost));
		return whyNot(lost);
	}
	const isMissing = lost.includes("");
	// Puts all rows into the moved file, and leaves none for a file that takes its place.
	if (isMissing && fileIsInPlace) emptyJournal();
	fileIsInPlace = !isMissing;
	if (lost.length === 0) {
		foundAt = performance.now();
		return;
	}
	const ending = !isMissing && isSaved(lost);
	if (ending) replaced[0] = 1;
	const reason = whyNot(lost);
	if (ending) end(reason);
	return reason;
}

function end(reason: string): void {
	say({ ending: reason });
	// After the answer to the message at hand.
	setImmediate(() => process.exit());
}

/**
 * Whether all that was acknowledged is in files that have their names. With only the index lost the
 * journal is whole, and another process may be writing to it.
 */
function isSaved(lost: readonly Place[]): boolean {
	if (!lost.includes("-wal")) return true;
	return !isForked(lost) && emptyJournal();
}

/**
 * Whether another process has written to a new journal, before the rows of the old one were in the
 * file. Pages of both must not meet there: neither program knows of the other's.
 */
function isForked(lost: readonly Place[]): boolean {
	if (replaced[0] !== 0 || !lost.includes("-wal")) return false;
	return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Moves all rows of the journal into the file, and gives whether none is left. */
function emptyJournal(): boolean {
	try {
		const emptied = connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
		const { log, checkpointed } = emptied as { log: number; checkpointed: number };
		return log >= 0 && log === checkpointed;
	} catch {
		// A locked or full disk. Opening another file beside this journal is refused.
		return false;
	}
}

function whyNot(lost: readonly Place[]): string {
	if (lost.includes("") && !existsSync(file)) {
		return `${file} was deleted or moved: put it back, or restore a backup and restart the server`;
	}
	if (lost.includes("")) return `${file} is not the file that was opened: restart the server`;
	const changed = `${file}${lost[0]} is not the file that was opened`;
	if (replaced[0] !== 0) return `${changed}: the database is opened anew`;
	if (!isForked(lost)) return `${changed}, and another program keeps its rows from being saved`;
	return (
		`${changed}, and another program has written to a new one: copy the deleted one from ` +
		`/proc/${process.pid}/fd if you need its last rows, and restart the server`
	);
}

/**
 * Serves the file of this thread until it is told to close. One request is served after the other.
 *
 * @param transactions that it can be asked to run
 */
export function serveSqlite(transactions: Transactions): void {
	let last: Promise<void> | undefined;
	port.on("message", (message: ToThread) => {
		last = last ? last.then(() => respond(message, transactions)) : respond(message, transactions);
	});
	say({ ready: true });
}

async function respond(message: ToThread, transactions: Transactions): Promise<void> {
	if ("close" in message) return close();
	const lost = performance.now() - foundAt < FRESH_MS ? undefined : look();
	if (lost !== undefined) return say({ failed: lost });
	try {
		const answer =
			"run" in message
				? runAll(message.run)
				: "transaction" in message
					? await transact(transactions[message.transaction]!, message.input, begin)
					: tryToEmptyJournal(connection);
		// Once more: what was written to a lost journal is acknowledged to nobody.
		const failed = look();
		say(failed === undefined ? { answer } : { failed });
	} catch (error) {
		const failed = error instanceof Error ? error.message : String(error);
		say({ failed });
		// After any other failure of SQLite the connection cannot be trusted: end the thread, for a new one
		// to start.
		const { code } = error as NodeJS.ErrnoException;
		if (code === "ERR_SQLITE_ERROR" && !PASSING.test(failed)) throw error;
	}
}

function close(): void {
	clearInterval(watch);
	// SQLite would move pages into the file that contradict the new journal, and delete it.
	if (isForked(findLost())) process.kill(process.pid, "SIGKILL");
	// Closing would empty and delete the journal of a file that has taken its place.
	if (look() !== undefined) process.exit();
	// Moves the journal into the file, which is then complete by itself.
	connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
	connection.close();
	port.close();
}
