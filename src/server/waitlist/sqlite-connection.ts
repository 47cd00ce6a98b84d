import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { missingSteps, SCHEMA_VERSION, sqlite } from "./schema.ts";

type Driver = typeof import("@photostructure/sqlite");

/** Node's own SQLite where there is one (from Node 22.13 on), else the same API from npm. */
const builtIn = process.getBuiltinModule?.("node:sqlite") as Driver | undefined;
const { DatabaseSync } = builtIn ?? (await import("@photostructure/sqlite"));

/** How long a statement waits for a lock that a backup or the operator's command holds. */
const BUSY_TIMEOUT_MS = 2000;

/** `PRAGMA synchronous`: 2 is FULL, a sync for every commit (sqlite.org/pragma.html). */
export const FULL = 2;

/**
 * Opens an SQLite file and brings its schema up to date. A missing file is created, readable for
 * its owner only, with the folders above it.
 *
 * Keep the connection in a variable beside its statements: in @photostructure/sqlite 1.2.1 a
 * statement that outlives its collected connection ends the process with a segmentation fault.
 *
 * @throws Error when the file cannot be opened, is not ours, or would not sync every commit
 */
export function connectSqlite(file: string): DatabaseSyncInstance {
	makeFolder(dirname(file));
	// SQLite would create it readable for everybody. Its journals take the mode of the file.
	closeSync(openSync(file, "a", 0o600));
	const connection = new DatabaseSync(file);
	try {
		connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
		connection.exec("PRAGMA journal_mode = WAL");
		// After WAL, never before: both drivers are built to sync less in WAL mode by default.
		connection.exec("PRAGMA synchronous = FULL");
		// Erased rows are overwritten, not only unlinked.
		connection.exec("PRAGMA secure_delete = ON");
		migrate(connection);
		refuseUnlessDurable(connection);
		return connection;
	} catch (error) {
		connection.close();
		throw error;
	}
}

/** Folder by folder: Node 20's own recursion never ends in /proc. */
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
	const missing = () => missingSteps(Number(readPragma(connection, "user_version")), sqlite);
	if (missing().length === 0) return;
	connection.exec("BEGIN IMMEDIATE");
	try {
		// Read again: another process may have migrated while this one waited for the lock.
		for (const step of missing()) connection.exec(step);
		connection.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
		connection.exec("COMMIT");
	} catch (error) {
		connection.exec("ROLLBACK");
		throw error;
	}
}

/** Reads the settings back: SQLite is silent when it does not follow them. */
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
