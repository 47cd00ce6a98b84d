import { parentPort, workerData } from "node:worker_threads";
import { failureReason, failureSentence, fileSizeOf } from "../../files/files.ts";
import type { Statement, Transactions } from "../sql.ts";
import {
	connectSqlite,
	createLostFilesCheck,
	transactionsOn,
	tryToEmptyJournal,
} from "./connection.ts";

type Request =
	| { statement: Statement }
	| { transaction: string; input: unknown }
	| { forget: true };

export type ThreadRequest = Request | { close: true };

export type ThreadResponse = { answer: unknown } | { failed: string };

export interface ThreadData {
	file: string;
	reads: boolean;
}

const WATCH_MS = 250;

/** Skips the file check before a statement if the last was this recent: checks take 5 % of this thread's time. */
const FRESH_MS = 1;

/** Time between attempts to empty the journal. During a long read, each attempt delays joins by 20 ms. */
const FORGET_MS = 500;

/* Runs SQLite on a thread: its drivers block for up to 2 s while the disk is busy or the file is locked. */
const port = parentPort!;
const { file, reads } = workerData as ThreadData;
const connection = connectSqlite(file, !reads);
const BEGIN = reads ? "BEGIN" : "BEGIN IMMEDIATE";
if (reads) connection.exec("PRAGMA query_only = ON");
// With statement journals in memory, a join takes 66 µs of CPU time instead of 139.
connection.exec("PRAGMA temp_store = MEMORY");
const findLost = createLostFilesCheck(file);
const { tx, transact } = transactionsOn(connection);
let fileIsInPlace = true;
let foundAt = Number.NEGATIVE_INFINITY;
const watch = setInterval(look, WATCH_MS);
let forgetting: NodeJS.Timeout | undefined;
let last = Promise.resolve();

/**
 * Checks that the open files are in place. If not, returns why no write may be acknowledged.
 *
 * If only the journal is lost, saves every row and exits.
 */
function look(): string | undefined {
	const lost = findLost();
	if (lost.length === 0) {
		foundAt = performance.now();
		fileIsInPlace = true;
		return;
	}
	// Ends the reading thread: an open reader would block saving the journal.
	if (reads) process.exit();
	if (lost.includes("")) {
		// Writes the journal into the moved file, which is still open here, and never into its replacement.
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
	const unsaved = lost.includes("-wal") ? failureOf(saveAlone) : undefined;
	if (unsaved) return `${changed}: close the programs that have the database open (${unsaved})`;
	throw new Error(`${changed}: the server stops with every row on disk, and must be started again`);
}

/** Whether another process has started a new journal. Using both would corrupt the file. */
function isForked(): boolean {
	return findLost().includes("-wal") && fileSizeOf(`${file}-wal`) > 0;
}

/** Moves the journal into the file. @throws Error if another program has the file open */
function saveAlone(): void {
	const { journal_mode: mode } = connection.prepare("PRAGMA journal_mode = DELETE").get()!;
	if (mode !== "delete") throw new Error(`its journal_mode stays ${mode}`);
}

function failureOf(work: () => void): string | undefined {
	try {
		work();
		return;
	} catch (error) {
		return failureReason(error);
	}
}

export function serveSqlite(transactions: Transactions): void {
	port.on("message", (message: ThreadRequest) => {
		last = last.then(() => ("close" in message ? close() : respond(message, transactions)));
	});
}

async function respond(message: Request, transactions: Transactions): Promise<void> {
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
		failed = failureSentence(error);
	}
	// Recheck: rows in a lost journal must not be acknowledged.
	failed ??= look();
	port.postMessage(failed === undefined ? { answer } : { failed });
}

/** Empties the journal after the current request, because a timer may fire during a transaction. */
function startForgetting(): void {
	forgetting ??= setInterval(() => {
		last = last.then(() => {
			let isEmpty = false;
			// Emptying the journal throws on a full disk.
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
	// A normal close would corrupt the file: another process has started a new journal.
	if (isForked()) process.kill(process.pid, "SIGKILL");
	// A normal close would delete the journal of a replacement file.
	if (findLost().length > 0) process.exit();
	connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
	connection.close();
	port.close();
}
