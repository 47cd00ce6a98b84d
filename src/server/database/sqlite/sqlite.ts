import { existsSync, statSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import {
	byName,
	cannotOpen,
	type Database,
	type Finding,
	type Query,
	type Run,
} from "../database.ts";
import { sqlite } from "../dialect.ts";
import type { Transact } from "../transaction.ts";
import { compareCopy, copiedTables, copyTable } from "./catalogue.ts";
import { connectSqlite, FULL, prepareOnce, readPragma } from "./connection.ts";
import { forgetIn, tryToEmptyJournal } from "./forget.ts";
import { freeBytes, LEAST_FREE_BYTES } from "./free-space.ts";
import { type Place, rememberPlaces } from "./places.ts";

/** A command may wait longer than a visitor. */
const BUSY_TIMEOUT_MS = 20_000;

/** A visitor's thread that waits for SQLite's lock looks again after up to 100 ms, and mostly 25. */
const LEAST_PAUSE_MS = 25;

/** How long the lock may be held between two pauses while nobody else writes. */
const ALONE_MS = 100;

/**
 * Pages of the journal after which a commit moves them into the file. With 1,000, as SQLite has it, no
 * visitor's commit finds much to move; alone, a page that changes often is moved less often.
 */
const CHECKPOINT_PAGES = { alone: 8000, beside: 1000 };

/**
 * 16 MB instead of 2, once something is written: an import of 60,000 into 300,000 read 137 MB instead of
 * 187. An export of a million has 72 MB for everything, and keeps the 2.
 */
const WRITING_CACHE = "PRAGMA cache_size = -16000";

/**
 * Opens a waitlist in an SQLite file, beside a running server if there is one.
 *
 * @throws Error with a sentence for the operator
 */
export async function openSqlite(
	file: string,
	{ create, alone }: { create: boolean; alone: boolean },
): Promise<Database> {
	if (!create && !existsSync(file)) {
		throw new Error(
			`There is no waitlist at ${file}: start the server, which makes it, or set DATABASE_URL as the server has it.`,
		);
	}
	try {
		return new SqliteDatabase(file, { create, alone });
	} catch (error) {
		throw cannotOpen(file, error);
	}
}

/** A class, so that the connection is never collected before its statements. */
class SqliteDatabase implements Database {
	readonly place: string;
	readonly dialect = sqlite;
	readonly query: Query;
	readonly #alone: boolean;
	readonly #connection: DatabaseSyncInstance;
	readonly #findLost: () => Place[];
	readonly #statements: ReturnType<typeof prepareOnce>;
	#pausedUntil = 0;
	/** How long the lock was waited for and held since the last pause. */
	#heldMs = 0;
	/** A number that is another one after somebody else has written. */
	#dataVersion: unknown;
	#checkpoint: keyof typeof CHECKPOINT_PAGES;

	constructor(file: string, { create, alone }: { create: boolean; alone: boolean }) {
		this.place = file;
		this.#alone = alone;
		this.#checkpoint = alone ? "alone" : "beside";
		this.#connection = connectSqlite(file, { create });
		this.#statements = prepareOnce(this.#connection);
		this.query = this.#statements.query;
		this.#findLost = rememberPlaces(file);
		this.#connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
		if (alone) this.#connection.exec(`PRAGMA synchronous = OFF; ${WRITING_CACHE}`);
	}

	readonly run: Run = byName((statements) =>
		this.#inPlace(() => this.#statements.runAll(statements)),
	);

	readonly transact: Transact = (transaction, input) =>
		this.#inPlace(() => this.#statements.transact(transaction, input));

	transaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
		return this.transact(({ query }) => work(query), undefined);
	}

	readonly read: Transact = (transaction, input) =>
		this.#statements.transact(transaction, input, "BEGIN");

	snapshot<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
		return this.read(({ query }) => work(query), undefined);
	}

	async #inPlace<Result>(write: () => Result | Promise<Result>): Promise<Result> {
		await this.#pause();
		this.#refuseLost();
		const began = performance.now();
		this.#connection.exec(
			`${WRITING_CACHE}; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES[this.#checkpoint]}`,
		);
		const result = await write();
		// Once more: what was written to a lost journal is said to be done to nobody.
		this.#refuseLost();
		if (!this.#alone) this.#planPause(performance.now() - began);
		return result;
	}

	/**
	 * Leaves the lock to the visitors for as long as it was waited for and held: it is not fair, and a
	 * command that takes it again at once starves them. While nobody writes, a short pause now and then is
	 * enough for the first of them.
	 */
	#planPause(ms: number): void {
		this.#heldMs += ms;
		const dataVersion = readPragma(this.#connection, "data_version");
		const isAlone = dataVersion === this.#dataVersion;
		this.#dataVersion = dataVersion;
		this.#checkpoint = isAlone ? "alone" : "beside";
		if (isAlone && this.#heldMs < ALONE_MS) return;
		const pauseMs = isAlone ? LEAST_PAUSE_MS : Math.max(LEAST_PAUSE_MS, this.#heldMs);
		this.#pausedUntil = performance.now() + pauseMs;
		this.#heldMs = 0;
	}

	async #pause(): Promise<void> {
		const pauseMs = this.#pausedUntil - performance.now();
		if (pauseMs > 0) await wait(pauseMs);
	}

	/** @throws Error with a sentence for the operator when a file was deleted, moved or replaced */
	#refuseLost(): void {
		const [lost] = this.#findLost();
		if (lost === undefined) return;
		throw new Error(
			`${this.place}${lost} was deleted, moved or replaced meanwhile, so that the last rows may not ` +
				"be stored. When it is back, run this again.",
		);
	}

	/** Copies and compares in one transaction, in which VACUUM INTO cannot run. */
	async copyInto(file: string): Promise<void> {
		const connection = this.#connection;
		connection.prepare("ATTACH $file AS copy").run({ $file: file });
		try {
			// Its journal stays: nobody may change the mode of a file that another connection has open.
			connection.exec("PRAGMA copy.synchronous = OFF");
			await this.snapshot(async (query) => {
				for (const table of await copiedTables(query)) {
					connection.exec(copyTable(table.name));
					const { ours, theirs, alike } = await compareCopy(query, table);
					if (ours === theirs && ours === alike) continue;
					throw new Error(
						`The copy of ${this.place} differs: ${alike} of ${ours} rows in ${table.name} are the same.`,
					);
				}
			});
		} finally {
			this.#statements.clear();
			connection.exec("DETACH copy");
		}
	}

	forget(texts: readonly string[] = []): Promise<void> {
		return forgetIn(this, texts, async () => {
			await this.#pause();
			return tryToEmptyJournal(this.#connection);
		});
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
		const free = await freeBytes(this.place);
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
