import { COLUMNS, FROM_JSON } from "./schema.ts";
import { connectSqlite } from "./sqlite-connection.ts";
import type { DatabaseSyncInstance, StatementSyncInstance } from "./sqlite-driver.ts";

/**
 * `WHERE true` tells the parser that ON belongs to the INSERT (sqlite.org/lang_upsert.html).
 * A single statement is its own transaction.
 */
export const SQLITE_INSERT = `
	INSERT INTO registration (${COLUMNS})
	${FROM_JSON} FROM json_each(?) WHERE true
	ON CONFLICT (email_key) DO NOTHING
	RETURNING email_key`;

/** A waitlist in an SQLite file, for one thread: every call blocks until the disk has answered. */
export class SqliteFile {
	readonly #connection: DatabaseSyncInstance;
	readonly #insert: StatementSyncInstance;
	readonly #probe: StatementSyncInstance;

	/** @throws Error when the file cannot be used, see {@link connectSqlite} */
	constructor(file: string) {
		this.#connection = connectSqlite(file);
		this.#insert = this.#connection.prepare(SQLITE_INSERT);
		this.#probe = this.#connection.prepare("SELECT 1 FROM registration LIMIT 1");
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

	/** Reads a row. */
	probe(): void {
		this.#probe.all();
	}

	/** Moves the journal into the file and closes it. */
	close(): void {
		this.#connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
		this.#connection.close();
	}
}
