import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSyncInstance, StatementSyncInstance } from "@photostructure/sqlite";
import { sqlite } from "../dialect.ts";
import { missingSteps, SCHEMA_VERSION } from "../schema.ts";
import type { Statement } from "../sql.ts";
import { type Transaction, type Tx, txOver } from "../transaction.ts";

type Driver = typeof import("@photostructure/sqlite");

/** Before Node 24, its own SQLite is an experiment, and warns on standard error at each start. */
const hasOwn = Number.parseInt(process.versions.node, 10) >= 24;
const driver = hasOwn
	? (process.getBuiltinModule("node:sqlite") as Driver)
	: await import("@photostructure/sqlite");

/**
 * Node's own SQLite, or else the same API from npm. A process may use only one of them: two copies
 * of SQLite drop each other's locks (sqlite.org/howtocorrupt.html, section 2.2.1).
 */
export const { DatabaseSync } = driver;

/** How long a statement waits for a lock that a backup or the operator's command holds. */
const BUSY_TIMEOUT_MS = 2000;

/** The journal grows beyond this while somebody reads for long, and is cut to it afterwards. */
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
 * @param create whether a file that is missing or empty may become one
 * @throws Error when the file cannot be opened, is not ours, or would not sync every commit
 */
export function connectSqlite(file: string, { create = true } = {}): DatabaseSyncInstance {
	const isNew = !existsSync(file);
	// A new file in its place would be an empty list.
	if (isNew && !create) throw new Error("it was deleted or moved");
	makeFolder(dirname(file));
	refuseForeignJournal(file);
	if (!isNew) {
		accessSync(file, constants.R_OK | constants.W_OK);
		if (statSync(file).isDirectory()) throw new Error("it is a folder");
	}
	const connection = new DatabaseSync(file);
	// SQLite makes it readable for everybody. Its journals take the mode of the file. Nothing here opens
	// a database file itself: closing it would drop the locks that SQLite has on it in this process
	// (sqlite.org/howtocorrupt.html, section 2.2).
	if (isNew) chmodSync(file, 0o600);
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

/** Runs statements on a connection and keeps them prepared, by their text: there are few. */
export function prepareOnce(connection: DatabaseSyncInstance) {
	const prepared = new Map<string, StatementSyncInstance>();
	const all: Tx["all"] = async <Row extends object>({ text, parameters }: Statement<Row>) => {
		let statement = prepared.get(text);
		if (!statement) {
			statement = connection.prepare(sqlite.translate(text));
			prepared.set(text, statement);
		}
		const named = Object.fromEntries(parameters.map((value, n) => [`$${n + 1}`, value]));
		return statement.all(named) as Row[];
	};
	const tx = txOver(all);
	/** @param begin `BEGIN` for a transaction that only reads */
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
			rollBack(connection);
			throw error;
		}
	}
	return { tx, transact };
}

function rollBack(connection: DatabaseSyncInstance): void {
	try {
		connection.exec("ROLLBACK");
	} catch {
		// A full disk has rolled back by itself.
	}
}

function makeFolder(folder: string): void {
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
	} catch (error) {
		const { code = "" } = error as NodeJS.ErrnoException;
		throw ["EEXIST", "ENOTDIR"].includes(code) ? new Error(`${folder} is not a folder`) : error;
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

/** Counts tables and indexes. It reads the file, so that a lock is taken. */
const COUNT_ALL = "SELECT count(*) AS n FROM sqlite_schema";

/** 1 if there is a waitlist, or 0. */
const COUNT_WAITLIST =
	"SELECT count(*) AS n FROM pragma_table_info('registration') WHERE name = 'email_key'";

function refuseUnlessOurs(connection: DatabaseSyncInstance, create: boolean): void {
	const version = Number(readPragma(connection, "user_version"));
	// Throws if a newer version wrote it.
	missingSteps(version, sqlite);
	const count = (sql: string) => connection.prepare(sql).get()?.n;
	const hasWaitlist = count(COUNT_WAITLIST) === 1;
	if (version > 0 ? !hasWaitlist : count(COUNT_ALL) !== 0) {
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

/** SQLite is silent when it does not follow its settings. */
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

export function readPragma(connection: DatabaseSyncInstance, name: string): unknown {
	return connection.prepare(`PRAGMA ${name}`).get()?.[name];
}
