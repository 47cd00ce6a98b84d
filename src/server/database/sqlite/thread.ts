import { existsSync, statSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import type { Statement } from "../sql.ts";
import type { Transactions } from "../transaction.ts";
import { connectSqlite, prepareOnce } from "./connection.ts";
import { tryToEmptyJournal } from "./forget.ts";
import type { FromThread } from "./kept-thread.ts";
import { type Place, rememberPlaces } from "./places.ts";

export type ToThread =
	| { statement: Statement }
	| { transaction: string; input: unknown }
	| { emptyJournal: true }
	| { close: true };

export interface ThreadData {
	file: string;
	/** Whether the thread only reads. */
	reads: boolean;
	/** Whether a missing file is made. */
	create: boolean;
}

/** How often to look for the files while nobody joins. */
const WATCH_MS = 250;

/** For so long a look serves the next transaction as well: it takes 5 % of this thread's time under load. */
const FRESH_MS = 1;

/** Failures that pass by themselves, so that the connection may stay: a foreign lock, a full disk. */
const PASSING = /database (?:table )?is locked|database or disk is full/;

/** The thread of an SQLite file: drivers block while the disk is busy or a lock is held, for up to 2 s. */
const port = parentPort!;
const say = (message: FromThread<unknown>) => port.postMessage(message);

const { file, reads, create } = workerData as ThreadData;
const connection = connectSqlite(file, { create });
if (reads) connection.exec("PRAGMA query_only = ON");
// Of the pages that one of several statements changes, to undo it alone: each of 25 joins took 66 instead
// of 139 µs of CPU time.
connection.exec("PRAGMA temp_store = MEMORY");
const findLost = rememberPlaces(file);
const { tx, transact } = prepareOnce(connection);
const begin = reads ? "BEGIN" : "BEGIN IMMEDIATE";
let fileIsInPlace = true;
/** When all files were last in their places, by `performance.now()`. */
let foundAt = Number.NEGATIVE_INFINITY;
/** Why the process ends. */
let ending: string | undefined;
const watch = setInterval(look, WATCH_MS);

/**
 * Looks whether the open files still have their names.
 *
 * Without its journal the process ends as soon as every row is in the file. Without the file it goes on:
 * the file may come back, and a deleted one can be copied from /proc as long as this process lives.
 *
 * @returns why nothing can be acknowledged, or undefined
 */
function look(): string | undefined {
	if (ending) return ending;
	const lost = findLost();
	// The connection of a thread that reads would keep the other one from having the file alone.
	if (reads && lost.length > 0) process.exit();
	const isInPlace = !lost.includes("");
	// Once, so that the moved file has all rows, and none is left for a file that takes its place.
	if (fileIsInPlace && !isInPlace) {
		failureOf(() => connection.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
	}
	fileIsInPlace = isInPlace;
	if (lost.length === 0) {
		foundAt = performance.now();
		return;
	}
	if (!isInPlace) {
		return existsSync(file)
			? `${file} is not the file that was opened: restart the server`
			: `${file} was deleted or moved: put it back, or restore a backup and restart the server`;
	}
	const changed = `${file}${lost[0]} is not the file that was opened`;
	if (isForked(lost)) {
		return (
			`${changed}, and another program has written to a new one: copy the deleted one from ` +
			`/proc/${process.pid}/fd if you need its last rows, and restart the server`
		);
	}
	// With only the index lost the journal is whole, and another process may be writing to it.
	const unsaved = lost.includes("-wal") ? saveAlone() : undefined;
	if (unsaved) return `${changed}: close the programs that have the database open (${unsaved})`;
	ending = `${changed}: the server ends, with every row on disk, and has to be started again`;
	say({ ending });
	return ending;
}

/**
 * Whether another process has written to a new journal, before the rows of the old one were in the
 * file. Pages of both must not meet there: neither program knows of the other's.
 */
function isForked(lost: readonly Place[]): boolean {
	if (!lost.includes("-wal")) return false;
	return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/**
 * Moves the journal into the file, where nobody else has it open: another program would go on writing to
 * the lost journal, and two journals of one file destroy it.
 *
 * @returns why it could not, or undefined
 */
function saveAlone(): string | undefined {
	return failureOf(() => {
		const { journal_mode: mode } = connection.prepare("PRAGMA journal_mode = DELETE").get()!;
		if (mode !== "delete") throw new Error(`its journal_mode stays ${mode}`);
	});
}

function failureOf(work: () => void): string | undefined {
	try {
		work();
		return;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

/** Serves the file of this thread until it is told to close, one request after the other. */
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
			"statement" in message
				? await tx.all(message.statement)
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
	const lost = findLost();
	// SQLite would move pages into the file that contradict the new journal, and delete it.
	if (isForked(lost)) process.kill(process.pid, "SIGKILL");
	// Closing would empty and delete the journal of a file that has taken its place.
	if (lost.length > 0) process.exit();
	// Moves the journal into the file, which is then complete by itself.
	connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
	connection.close();
	port.close();
}
