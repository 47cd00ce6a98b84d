import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSyncInstance, StatementSyncInstance } from "@photostructure/sqlite";
import { fileSizeOf } from "../../files/files.ts";
import { cannotOpenError } from "../database.ts";
import { sqliteDialect } from "../dialect.ts";
import { pendingMigrations, SCHEMA_VERSION } from "../schema.ts";
import { createTx, type Statement, type Transaction, type Tx } from "../sql.ts";

type Driver = typeof import("@photostructure/sqlite");

/** One driver per process: two copies of SQLite drop each other's locks (sqlite.org/howtocorrupt.html, 2.2.1). */
export const { DatabaseSync } =
	Number.parseInt(process.versions.node, 10) >= 24
		? (process.getBuiltinModule("node:sqlite") as Driver)
		: await import("@photostructure/sqlite");

const BUSY_TIMEOUT_MS = 2000;

/**
 * Opens an SQLite file and migrates its schema. Only the owner may read a new file.
 *
 * Keep a reference to the connection: in @photostructure/sqlite 1.2.1, using a statement after its connection
 * was garbage-collected crashes the process.
 */
export function connectSqlite(file: string, create = true): DatabaseSyncInstance {
	let connection: DatabaseSyncInstance | undefined;
	try {
		const isNew = !existsSync(file);
		if (isNew && !create) throw new Error("it was deleted or moved");
		mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
		refuseForeignJournal(file);
		if (!isNew) {
			accessSync(file, constants.R_OK | constants.W_OK);
			if (statSync(file).isDirectory()) throw new Error("it is a folder");
		}
		connection = new DatabaseSync(file);
		// By path: closing a database that node:fs opened would drop SQLite's locks (howtocorrupt.html, 2.2).
		if (isNew) chmodSync(file, 0o600);
		connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
		refuseUnlessOurs(connection, create);
		// Both drivers lower the sync level when WAL starts, so FULL is set after it.
		connection.exec(`PRAGMA journal_mode = WAL; PRAGMA journal_size_limit = 32000000;
			PRAGMA synchronous = FULL; PRAGMA secure_delete = ON`);
		migrate(connection);
		refuseUnlessDurable(connection);
		return connection;
	} catch (error) {
		connection?.close();
		throw cannotOpenError(file, error);
	}
}

export function transactionsOn(connection: DatabaseSyncInstance) {
	const prepared = new Map<string, StatementSyncInstance>();
	const all: Tx["all"] = async <Row extends object>({ text, parameters }: Statement<Row>) => {
		let statement = prepared.get(text);
		if (!statement) {
			statement = connection.prepare(sqliteDialect.translate(text));
			prepared.set(text, statement);
		}
		const named = Object.fromEntries(parameters.map((value, n) => [`$${n + 1}`, value]));
		return statement.all(named) as Row[];
	};
	const tx = createTx(all);
	async function transact<Input, Result>(
		transaction: Transaction<Input, Result>,
		input: Input,
		begin = "BEGIN IMMEDIATE",
	): Promise<Result> {
		connection.exec(begin);
		try {
			const result = await transaction(tx, input);
			connection.exec("COMMIT");
			return result;
		} catch (error) {
			// On a full disk, SQLite has already rolled back.
			if (connection.isTransaction) connection.exec("ROLLBACK");
			throw error;
		}
	}
	return { tx, transact };
}

/** SQLite would replay the journal of a deleted or moved database into a new one. */
function refuseForeignJournal(file: string): void {
	const journal = `${file}-wal`;
	if (fileSizeOf(file) > 0 || fileSizeOf(journal) === 0) return;
	throw new Error(
		`it is missing or empty, but its journal ${journal} exists: put the file back, or move the ` +
			"journal away",
	);
}

function refuseUnlessOurs(connection: DatabaseSyncInstance, create: boolean): void {
	const version = Number(readPragma(connection, "user_version"));
	pendingMigrations(version, sqliteDialect);
	const count = (from: string) => connection.prepare(`SELECT count(*) AS n FROM ${from}`).get()?.n;
	const isOurs =
		version > 0
			? count("pragma_table_info('registration') WHERE name = 'email_key'") === 1
			: count("sqlite_schema") === 0;
	if (!isOurs) throw new Error("it belongs to another program");
	if (version === 0 && !create) throw new Error("it contains no waitlist");
}

function migrate(connection: DatabaseSyncInstance): void {
	const missing = () =>
		pendingMigrations(Number(readPragma(connection, "user_version")), sqliteDialect);
	if (missing().length === 0) return;
	connection.exec("BEGIN IMMEDIATE");
	// Recheck: another process may have migrated while this one waited for the lock.
	for (const step of missing()) connection.exec(step);
	connection.exec(`PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
}

/** Checks our pragmas, because SQLite ignores those it cannot apply. Level 2 is FULL. */
function refuseUnlessDurable(connection: DatabaseSyncInstance): void {
	const journal = readPragma(connection, "journal_mode");
	if (journal !== "wal") {
		throw new Error(`its journal_mode is ${journal} instead of wal (is it on a network drive?)`);
	}
	const level = readPragma(connection, "synchronous");
	if (level !== 2) {
		throw new Error(
			`its synchronous level is ${level} instead of 2 (FULL): acknowledged addresses could be lost`,
		);
	}
}

function readPragma(connection: DatabaseSyncInstance, name: string): unknown {
	return connection.prepare(`PRAGMA ${name}`).get()?.[name];
}

/** Erases deleted rows, which secure_delete leaves in the journal. Returns false while a reader uses the journal. */
export function tryToEmptyJournal(connection: DatabaseSyncInstance): boolean {
	const before = connection.prepare("PRAGMA busy_timeout").get();
	// TRUNCATE blocks writers while it waits for readers, so the passive checkpoint does most of the work.
	connection.exec("PRAGMA wal_checkpoint(PASSIVE); PRAGMA busy_timeout = 20");
	try {
		return connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0;
	} finally {
		connection.exec(`PRAGMA busy_timeout = ${before?.timeout}`);
	}
}

const PLACES = ["", "-wal", "-shm"] as const;

/** Returns a function that lists the suffixes of the files that were deleted, moved or replaced since this call. */
export function createLostFilesCheck(file: string): () => (typeof PLACES)[number][] {
	const idOf = (place: string) => {
		const found = statSync(file + place, { bigint: true, throwIfNoEntry: false });
		return found && `${found.dev} ${found.ino}`;
	};
	const opened = PLACES.map(idOf);
	return () => PLACES.filter((place, n) => opened[n] === undefined || opened[n] !== idOf(place));
}
