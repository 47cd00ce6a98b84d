import { closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { missingSteps, SCHEMA_VERSION, sqlite } from "./schema.ts";

type Driver = typeof import("@photostructure/sqlite");

/** Node's own SQLite where there is one (from Node 22.13 on), else the same API from npm. */
const builtIn = process.getBuiltinModule?.("node:sqlite") as Driver | undefined;
const { DatabaseSync } = builtIn ?? (await import("@photostructure/sqlite"));

/** How long a statement waits for a lock that a backup or the operator's command holds. */
const BUSY_TIMEOUT_MS = 2000;

/**
 * What the journal shrinks to when it starts anew. It grows beyond this while somebody reads for
 * long, and SQLite alone would never give that room back.
 */
const JOURNAL_BYTES = 32e6;

/** `PRAGMA synchronous`: 2 is FULL, a sync for every commit (sqlite.org/pragma.html). */
export const FULL = 2;

/**
 * Opens an SQLite file and brings its schema up to date. A missing file is created, readable for
 * its owner only, with the folders above it.
 *
 * Keep the connection in a variable beside its statements: in @photostructure/sqlite 1.2.1 a
 * statement that outlives its collected connection ends the process with a segmentation fault.
 *
 * @param create whether a file without a waitlist may become one
 * @throws Error when the file cannot be opened, is not ours, or would not sync every commit
 */
export function connectSqlite(file: string, { create = true } = {}): DatabaseSyncInstance {
	makeFolder(dirname(file));
	refuseForeignJournal(file);
	// SQLite would create it readable for everybody. Its journals take the mode of the file.
	closeSync(openSync(file, "a", 0o600));
	const connection = new DatabaseSync(file);
	try {
		connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
		refuseUnlessOurs(connection, create);
		connection.exec("PRAGMA journal_mode = WAL");
		connection.exec(`PRAGMA journal_size_limit = ${JOURNAL_BYTES}`);
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

/** The parameters `$1`, `$2`, … of a statement, as SQLite's driver takes them. */
export function named(parameters: readonly (string | number)[]): Record<string, string | number> {
	return Object.fromEntries(parameters.map((value, n) => [`$${n + 1}`, value]));
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

/** SQLite would read the rows of a deleted or moved database into a new one. */
function refuseForeignJournal(file: string): void {
	const journal = `${file}-wal`;
	const size = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
	if (size(file) > 0 || size(journal) === 0) return;
	throw new Error(
		`it is missing or empty, but its journal ${journal} is there: put the file back, or move the ` +
			"journal away",
	);
}

function refuseUnlessOurs(connection: DatabaseSyncInstance, create: boolean): void {
	const version = Number(readPragma(connection, "user_version"));
	// Throws if a newer version wrote it.
	missingSteps(version, sqlite);
	const count = (sql: string) => connection.prepare(`SELECT count(*) AS n FROM ${sql}`).get()?.n;
	const hasWaitlist = count("pragma_table_info('registration') WHERE name = 'email_key'") === 1;
	if (version > 0 ? !hasWaitlist : count("sqlite_schema") !== 0) {
		throw new Error("it is the database of another program");
	}
	if (version === 0 && !create) throw new Error("it holds no waitlist");
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
