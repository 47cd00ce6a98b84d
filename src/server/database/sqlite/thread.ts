import { parentPort, workerData } from "node:worker_threads";
import { sizeOf } from "../../files/files.ts";
import { messageOf } from "../../text/message-of.ts";
import type { Statement, Transactions } from "../sql.ts";
import { connectSqlite, prepareOnce, rememberPlaces, tryToEmptyJournal } from "./connection.ts";

export type ToThread =
	| { statement: Statement }
	| { transaction: string; input: unknown }
	| { forget: true }
	| { close: true };

export type FromThread = { answer: unknown } | { failed: string };

export interface ThreadData {
	file: string;
	/** Whether it only reads. */
	reads: boolean;
}

/** How often to look for the files while nobody joins. */
const WATCH_MS = 250;

/** How long a look stays valid: looking takes 5 % of this thread's time under load. */
const FRESH_MS = 1;

/** Between two tries to empty the journal, each of which delays joins for 20 ms while somebody reads. */
const FORGET_MS = 500;

/* The thread of an SQLite file: drivers block while the disk is busy or a lock is held, for up to 2 s. */
const port = parentPort!;
const { file, reads } = workerData as ThreadData;
const connection = connectSqlite(file, !reads);
const BEGIN = reads ? "BEGIN" : "BEGIN IMMEDIATE";
if (reads) connection.exec("PRAGMA query_only = ON");
// SQLite saves pages to undo one of several statements. In memory, a join takes 66 instead of 139 µs of CPU.
connection.exec("PRAGMA temp_store = MEMORY");
const findLost = rememberPlaces(file);
const { tx, transact } = prepareOnce(connection);
let fileIsInPlace = true;
/** By `performance.now()`. */
let foundAt = Number.NEGATIVE_INFINITY;
const watch = setInterval(look, WATCH_MS);
/** Runs while deleted rows may be in the journal. Closing the file empties it, too. */
let forgetting: NodeJS.Timeout | undefined;
/** The request under way, if any. */
let last = Promise.resolve();

/**
 * Checks that the open files still have their names. Returns why nothing can be acknowledged, or undefined.
 *
 * Without its journal the process ends as soon as every row is in the file. Without the file it goes on:
 * the file may come back, and a deleted one can be copied from /proc as long as this process lives.
 */
function look(): string | undefined {
	const lost = findLost();
	if (lost.length === 0) {
		foundAt = performance.now();
		fileIsInPlace = true;
		return;
	}
	// A reader would keep saveAlone from having the file alone.
	if (reads) process.exit();
	if (lost.includes("")) {
		// Once, so that the moved file has all rows, and a file that takes its place has none of them.
		if (fileIsInPlace) failureOf(() => connection.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
		fileIsInPlace = false;
		return `${file} was deleted, moved or replaced: put it back, or restore a backup, and restart the server`;
	}
	const changed = `${file}${lost[0]} is not the file that was opened`;
	if (isForked()) {
		return (
			`${changed}, and another program has written to a new one: copy the deleted one from ` +
			`/proc/${process.pid}/fd if you need its last rows, and restart the server`
		);
	}
	// With only the index lost the journal is whole, and another process may be writing to it.
	const unsaved = lost.includes("-wal") ? failureOf(saveAlone) : undefined;
	if (unsaved) return `${changed}: close the programs that have the database open (${unsaved})`;
	throw new Error(
		`${changed}: the server ends, with every row on disk, and has to be started again`,
	);
}

/** Whether another process has written to a new journal. Pages of both must never meet in the file. */
function isForked(): boolean {
	return findLost().includes("-wal") && sizeOf(`${file}-wal`) > 0;
}

/** Moves the journal into the file unless another program has it open: two journals destroy a file. */
function saveAlone(): void {
	const { journal_mode: mode } = connection.prepare("PRAGMA journal_mode = DELETE").get()!;
	if (mode !== "delete") throw new Error(`its journal_mode stays ${mode}`);
}

function failureOf(work: () => void): string | undefined {
	try {
		work();
		return;
	} catch (error) {
		return messageOf(error);
	}
}

/** Serves requests one after the other, until one closes the file. */
export function serveSqlite(transactions: Transactions): void {
	port.on("message", (message: ToThread) => {
		last = last.then(() => ("close" in message ? close() : respond(message, transactions)));
	});
}

async function respond(
	message: Exclude<ToThread, { close: true }>,
	transactions: Transactions,
): Promise<void> {
	let failed = performance.now() - foundAt < FRESH_MS ? undefined : look();
	let answer: unknown;
	try {
		if (failed === undefined) {
			answer =
				"statement" in message
					? await tx.all(message.statement)
					: "transaction" in message
						? await transact(transactions[message.transaction]!, message.input, BEGIN)
						: startForgetting();
		}
	} catch (error) {
		failed = messageOf(error);
	}
	// Again: rows in a lost journal are acknowledged to nobody.
	failed ??= look();
	port.postMessage(failed === undefined ? { answer } : { failed });
}

/** Tries between requests: a transaction that writes to a file lets timers in. */
function startForgetting(): void {
	forgetting ??= setInterval(() => {
		last = last.then(() => {
			let isEmpty = false;
			// Fails while the disk is full.
			if (look() === undefined) failureOf(() => (isEmpty = tryToEmptyJournal(connection)));
			if (!isEmpty) return;
			clearInterval(forgetting);
			forgetting = undefined;
		});
	}, FORGET_MS);
}

function close(): void {
	clearInterval(watch);
	clearInterval(forgetting);
	// SQLite would move pages into the file that contradict the new journal, and delete it.
	if (isForked()) process.kill(process.pid, "SIGKILL");
	// Closing would empty and delete the journal of a file that has taken its place.
	if (findLost().length > 0) process.exit();
	connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
	connection.close();
	port.close();
}
