import { existsSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { DatabaseSyncInstance, StatementSyncInstance } from "@photostructure/sqlite";
import { sqlite } from "../../waitlist/schema.ts";
import { connectSqlite, FULL, readPragma } from "../../waitlist/sqlite-connection.ts";
import { cannotOpen } from "../../waitlist/waitlist.ts";
import type { Database, Finding, Query } from "./database.ts";

/** A command may wait longer than a visitor. */
const BUSY_TIMEOUT_MS = 20_000;

/** With less free space SQLite may soon be unable to write. */
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
		throw cannotOpen(file, error);
	}
}

/** A class, so that the connection is never collected before its statements. */
class SqliteDatabase implements Database {
	readonly place: string;
	readonly dialect = sqlite;
	readonly #connection: DatabaseSyncInstance;
	/** By their text: an export runs the same statement a thousand times. */
	readonly #statements = new Map<string, StatementSyncInstance>();

	constructor(file: string) {
		this.place = file;
		this.#connection = connectSqlite(file);
		this.#connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
	}

	readonly query: Query = async <Selected extends object>(
		sql: string,
		parameters: readonly (string | number)[] = [],
	) => {
		const named = Object.fromEntries(parameters.map((value, n) => [`$${n + 1}`, value]));
		return this.#prepare(sql).all(named) as Selected[];
	};

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
		// secure_delete overwrites the row in the file itself. The journal still holds the old page.
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
				ok: synchronous === FULL,
				found: synchronous === FULL ? "FULL" : `${synchronous}`,
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
