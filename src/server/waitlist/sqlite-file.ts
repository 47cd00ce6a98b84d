import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { migrations } from "./schema.ts";
import {
	DatabaseSync,
	type DatabaseSyncInstance,
	type StatementSyncInstance,
} from "./sqlite-driver.ts";

/** How long a statement waits for a lock that a backup or the operator's command holds. */
const BUSY_TIMEOUT_MS = 2000;

/** `PRAGMA synchronous`: 2 is FULL, a sync for every commit (sqlite.org/pragma.html). */
const FULL = 2;

/**
 * `WHERE true` tells the parser that ON belongs to the INSERT (sqlite.org/lang_upsert.html).
 * A single statement is its own transaction.
 */
const INSERT = `
	INSERT INTO registration (email_key, email, source, created_at, terms)
	SELECT value->>0, value->>1, value->>2, value->>3, value->>4 FROM json_each(?) WHERE true
	ON CONFLICT (email_key) DO NOTHING
	RETURNING email_key`;

/**
 * A waitlist in an SQLite file, for one thread: every call blocks until the disk has answered.
 *
 * The connection is a field beside its statement for a reason: in @photostructure/sqlite 1.2.1 a
 * statement that outlives its collected connection ends the process with a segmentation fault.
 */
export class SqliteFile {
	readonly #connection: DatabaseSyncInstance;
	readonly #insert: StatementSyncInstance;

	/**
	 * Opens the file, or creates it, readable for its owner only, with the folders above it.
	 *
	 * @throws Error when it cannot be opened, is not ours, or would not sync every commit
	 */
	constructor(file: string) {
		mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
		// SQLite would create it readable for everybody; its journals take the mode of the file.
		closeSync(openSync(file, "a", 0o600));
		this.#connection = new DatabaseSync(file);
		try {
			this.#connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
			this.#connection.exec("PRAGMA journal_mode = WAL");
			// After WAL, never before: both drivers are built to sync less in WAL mode by default.
			this.#connection.exec("PRAGMA synchronous = FULL");
			migrate(this.#connection);
			refuseUnlessDurable(this.#connection);
			this.#insert = this.#connection.prepare(INSERT);
		} catch (error) {
			this.#connection.close();
			throw error;
		}
	}

	/**
	 * Adds rows whose key is not there yet and syncs them.
	 *
	 * @param rows see {@link import("./schema.ts").rowsAsJson}
	 * @returns the keys that were added
	 */
	add(rows: string): string[] {
		return this.#insert.all(rows).map(({ email_key }: { email_key: string }) => email_key);
	}

	/** Moves the journal into the file and closes it. */
	close(): void {
		this.#connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
		this.#connection.close();
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
		for (const step of migrations.slice(version())) connection.exec(step);
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

function readPragma(connection: DatabaseSyncInstance, name: string): unknown {
	return connection.prepare(`PRAGMA ${name}`).get()?.[name];
}
