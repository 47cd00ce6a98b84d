import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSyncInstance, StatementSyncInstance } from "@photostructure/sqlite";
import { sizeOf } from "../../files/files.ts";
import { cannotOpen } from "../database.ts";
import { sqlite } from "../dialect.ts";
import { missingSteps, SCHEMA_VERSION } from "../schema.ts";
import { type Statement, type Transaction, type Tx, txOver } from "../sql.ts";

type Driver = typeof import("@photostructure/sqlite");

/**
 * Node's own SQLite, or else the same API from npm: before Node 24 its own is an experiment, and warns at
 * each start. A process may use only one of them, because two copies of SQLite drop each other's locks
 * (sqlite.org/howtocorrupt.html, section 2.2.1).
 */
export const { DatabaseSync } =
	Number.parseInt(process.versions.node, 10) >= 24
		? (process.getBuiltinModule("node:sqlite") as Driver)
		: await import("@photostructure/sqlite");

/** For a lock that a backup or a command holds. */
const BUSY_TIMEOUT_MS = 2000;

/**
 * Opens an SQLite file and brings its schema up to date. A new file is readable for its owner only.
 *
 * Keep the connection in a variable: in @photostructure/sqlite 1.2.1 a statement that outlives its
 * collected connection ends the process with a segmentation fault.
 *
 * @param create whether a file that is missing or empty may become one
 * @throws Error when the file cannot be opened, is not ours, or would not sync every commit
 */
export function connectSqlite(file: string, create = true): DatabaseSyncInstance {
	let connection: DatabaseSyncInstance | undefined;
	try {
		const isNew = !existsSync(file);
		if (isNew && !create) throw new Error("it was deleted or moved");
		makeFolder(dirname(file));
		refuseForeignJournal(file);
		if (!isNew) {
			accessSync(file, constants.R_OK | constants.W_OK);
			if (statSync(file).isDirectory()) throw new Error("it is a folder");
		}
		connection = new DatabaseSync(file);
		// Journals take the mode of the file. Never open a database file in this process: closing it would
		// drop SQLite's locks (sqlite.org/howtocorrupt.html, 2.2).
		if (isNew) chmodSync(file, 0o600);
		connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
		refuseUnlessOurs(connection, create);
		// FULL after WAL: both drivers are built to sync less in WAL mode by default. The journal grows beyond
		// its limit while somebody reads for long, and is cut to it afterwards.
		connection.exec(`PRAGMA journal_mode = WAL; PRAGMA journal_size_limit = 32000000;
			PRAGMA synchronous = FULL; PRAGMA secure_delete = ON`);
		migrate(connection);
		refuseUnlessDurable(connection);
		return connection;
	} catch (error) {
		connection?.close();
		throw cannotOpen(file, error);
	}
}

/** There are few texts of statements. */
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
	/** @param begin `BEGIN` to only read */
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
			// A full disk has rolled back already.
			if (connection.isTransaction) connection.exec("ROLLBACK");
			throw error;
		}
	}
	return { tx, transact };
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
	if (sizeOf(file) > 0 || sizeOf(journal) === 0) return;
	throw new Error(
		`it is missing or empty, but its journal ${journal} is there: put the file back, or move the ` +
			"journal away",
	);
}

function refuseUnlessOurs(connection: DatabaseSyncInstance, create: boolean): void {
	const version = Number(readPragma(connection, "user_version"));
	// Throws if a newer version wrote it.
	missingSteps(version, sqlite);
	const count = (from: string) => connection.prepare(`SELECT count(*) AS n FROM ${from}`).get()?.n;
	const isOurs =
		version > 0
			? count("pragma_table_info('registration') WHERE name = 'email_key'") === 1
			: count("sqlite_schema") === 0;
	if (!isOurs) throw new Error("it is the database of another program");
	if (version === 0 && !create) throw new Error("it holds no waitlist");
}

function migrate(connection: DatabaseSyncInstance): void {
	const missing = () => missingSteps(Number(readPragma(connection, "user_version")), sqlite);
	if (missing().length === 0) return;
	connection.exec("BEGIN IMMEDIATE");
	// Read again: another process may have migrated while this one waited for the lock.
	for (const step of missing()) connection.exec(step);
	connection.exec(`PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
}

/** SQLite is silent when it does not follow its settings. Level 2 is FULL. */
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

/**
 * Tries to empty the journal, which still holds the old pages of deleted rows after secure_delete has
 * overwritten them in the file. Returns false while somebody reads it.
 */
export function tryToEmptyJournal(connection: DatabaseSyncInstance): boolean {
	const before = connection.prepare("PRAGMA busy_timeout").get();
	// The passive checkpoint does most of the work. The other one keeps writers out while it waits for readers.
	connection.exec("PRAGMA wal_checkpoint(PASSIVE); PRAGMA busy_timeout = 20");
	try {
		return connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0;
	} finally {
		connection.exec(`PRAGMA busy_timeout = ${before?.timeout}`);
	}
}

/** The file itself, its journal with the latest rows, and the journal's index. */
const PLACES = ["", "-wal", "-shm"] as const;

/**
 * Remembers the files of a database that has just been opened, by their inodes. Returns the places that have
 * lost their file since: whatever is written to it is lost with the process.
 */
export function rememberPlaces(file: string): () => (typeof PLACES)[number][] {
	const idOf = (place: string) => {
		const found = statSync(file + place, { bigint: true, throwIfNoEntry: false });
		return found && `${found.dev} ${found.ino}`;
	};
	const opened = PLACES.map(idOf);
	return () => PLACES.filter((place, n) => opened[n] === undefined || opened[n] !== idOf(place));
}
