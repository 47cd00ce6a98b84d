import { existsSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { rowsAsJson } from "../waitlist/schema.ts";
import { connectSqlite, readPragma } from "../waitlist/sqlite-connection.ts";
import type { DatabaseSyncInstance, StatementSyncInstance } from "../waitlist/sqlite-driver.ts";
import { SQLITE_INSERT } from "../waitlist/sqlite-file.ts";
import type { Registration } from "../waitlist/waitlist.ts";
import type { Database, Finding, Query } from "./database.ts";

/** A command has more patience than a visitor. */
const BUSY_TIMEOUT_MS = 20_000;

/** Below this, SQLite may soon be unable to write. */
const LEAST_FREE_BYTES = 100e6;

/**
 * Opens a waitlist in an SQLite file, beside a running server if there is one.
 *
 * @throws Error with a sentence for the operator
 */
export async function openSqliteDatabase(
	file: string,
	{ create }: { create: boolean },
): Promise<Database> {
	if (!create && !existsSync(file)) {
		throw new Error(
			`There is no waitlist at ${file}: run this where the server runs, or set DATABASE_URL.`,
		);
	}
	try {
		return new SqliteDatabase(file);
	} catch (error) {
		const { message } = error as Error;
		throw new Error(`The waitlist ${file} cannot be opened: ${message}.`, { cause: error });
	}
}

/** A class, so that the connection is never collected before its statements. */
class SqliteDatabase implements Database {
	readonly place: string;
	readonly jsonRows = "json_each($1)";
	readonly #connection: DatabaseSyncInstance;
	/** By their text: an export asks the same question a thousand times. */
	readonly #statements = new Map<string, StatementSyncInstance>();

	constructor(file: string) {
		this.place = file;
		this.#connection = connectSqlite(file);
		this.#connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
	}

	readonly query: Query = async <Row extends object>(
		sql: string,
		parameters: readonly (string | number)[] = [],
	) => {
		const named = Object.fromEntries(parameters.map((value, n) => [`$${n + 1}`, value]));
		return this.#prepare(sql).all(named) as Row[];
	};

	async add(registrations: readonly Registration[]): Promise<string[]> {
		const rows = this.#prepare(SQLITE_INSERT).all(rowsAsJson(registrations));
		return rows.map(({ email_key }: { email_key: string }) => email_key);
	}

	#prepare(sql: string): StatementSyncInstance {
		const known = this.#statements.get(sql);
		if (known) return known;
		const statement = this.#connection.prepare(sql);
		this.#statements.set(sql, statement);
		return statement;
	}

	transaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
		return this.#between("BEGIN IMMEDIATE", work);
	}

	snapshot<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
		return this.#between("BEGIN", work);
	}

	async #between<Result>(begin: string, work: (query: Query) => Promise<Result>) {
		this.#connection.exec(begin);
		try {
			const result = await work(this.query);
			this.#connection.exec("COMMIT");
			return result;
		} catch (error) {
			this.#connection.exec("ROLLBACK");
			throw error;
		}
	}

	async forget(): Promise<void> {
		// The file itself is overwritten (secure_delete); the journal still has the pages before.
		this.#connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
	}

	async check(): Promise<Finding[]> {
		const integrity = this.#connection.prepare("PRAGMA integrity_check").all();
		const problems = integrity.map((row: { integrity_check: string }) => row.integrity_check);
		const journal = String(readPragma(this.#connection, "journal_mode"));
		const synchronous = Number(readPragma(this.#connection, "synchronous"));
		const { version } = this.#connection.prepare("SELECT sqlite_version() AS version").get() as {
			version: string;
		};
		const mode = statSync(this.place).mode & 0o777;
		const { bavail, bsize } = await statfs(dirname(this.place));
		const free = bavail * bsize;
		return [
			{ name: "SQLite", ok: true, found: version },
			{ name: "integrity", ok: problems.join() === "ok", found: problems.slice(0, 5).join("; ") },
			{ name: "journal_mode", ok: journal === "wal", found: journal },
			{
				name: "synchronous",
				ok: synchronous === 2,
				found: synchronous === 2 ? "FULL" : `${synchronous}`,
			},
			{
				name: "file mode",
				ok: (mode & 0o077) === 0,
				found: `${mode.toString(8)}${mode & 0o077 ? ": others can read it, use chmod 600" : ""}`,
			},
			{ name: "disk", ok: free > LEAST_FREE_BYTES, found: `${Math.round(free / 1e6)} MB free` },
		];
	}

	async close(): Promise<void> {
		// Closing alone would leave the journal: statements that are not collected keep the file open.
		this.#connection.exec("PRAGMA wal_checkpoint(PASSIVE)");
		this.#connection.close();
	}
}
