import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { migrations } from "./schema.ts";
import { DatabaseSync, type DatabaseSyncInstance } from "./sqlite-driver.ts";

/** How long a statement waits for a lock that a backup or the operator's command holds. */
const BUSY_TIMEOUT_MS = 2000;

/** `PRAGMA synchronous`: 2 is FULL, a sync for every commit (sqlite.org/pragma.html). */
const FULL = 2;

/**
 * Opens an SQLite file, or creates it, readable for its owner only, with the folders above it, and
 * brings its schema up to date.
 *
 * Keep the connection in a field beside its statements: in @photostructure/sqlite 1.2.1 a statement
 * that outlives its collected connection ends the process with a segmentation fault.
 *
 * @throws Error when it cannot be opened, is not ours, or would not sync every commit
 */
export function connectSqlite(file: string): DatabaseSyncInstance {
	makeFolder(dirname(file));
	// SQLite would create it readable for everybody; its journals take the mode of the file.
	closeSync(openSync(file, "a", 0o600));
	const connection = new DatabaseSync(file);
	try {
		connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
		connection.exec("PRAGMA journal_mode = WAL");
		// After WAL, never before: both drivers are built to sync less in WAL mode by default.
		connection.exec("PRAGMA synchronous = FULL");
		// What is erased is overwritten, not only forgotten.
		connection.exec("PRAGMA secure_delete = ON");
		migrate(connection);
		refuseUnlessDurable(connection);
		return connection;
	} catch (error) {
		connection.close();
		throw error;
	}
}

/** One after the other: in /proc, Node 20's own recursion never ends. */
function makeFolder(folder: string): void {
	if (existsSync(folder)) return;
	makeFolder(dirname(folder));
	try {
		mkdirSync(folder, { mode: 0o700 });
	} catch (error) {
		// Another process may have made it meanwhile.
		if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
	}
}

function migrate(connection: DatabaseSyncInstance): void {
	const version = () => Number(readPragma(connection, "user_version"));
	if (version() > migrations.length) {
		throw new Error("it was written by a newer version of this server");
	}
	if (version() === migrations.length) return;
	connection.exec("BEGIN IMMEDIATE");
	try {
		// Read again: another process may have migrated while this one waited for the lock.
		for (const step of migrations.slice(version())) connection.exec(step("TEXT"));
		connection.exec(`PRAGMA user_version = ${migrations.length}`);
		connection.exec("COMMIT");
	} catch (error) {
		connection.exec("ROLLBACK");
		throw error;
	}
}

/** Reads back what was asked for, since SQLite says nothing when it does otherwise. */
function refuseUnlessDurable(connection: DatabaseSyncInstance): void {
	const journal = readPragma(connection, "journal_mode");
	if (journal !== "wal") {
		throw new Error(`its journal_mode is ${journal} instead of wal (is it on a network drive?)`);
	}
	const synchronous = Number(readPragma(connection, "synchronous"));
	if (synchronous !== FULL) {
		throw new Error(
			`its synchronous level is ${synchronous} instead of ${FULL} (FULL): acknowledged addresses could be lost`,
		);
	}
}

/** The value of a pragma, as SQLite sees it now. */
export function readPragma(connection: DatabaseSyncInstance, name: string): unknown {
	return connection.prepare(`PRAGMA ${name}`).get()?.[name];
}
