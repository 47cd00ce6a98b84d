import { existsSync, statSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { freeBytes, LEAST_FREE_BYTES } from "../../files/files.ts";
import type { Database } from "../database.ts";
import { sql, type Transact } from "../sql.ts";
import { connectSqlite, prepareOnce, rememberPlaces, tryToEmptyJournal } from "./connection.ts";

/** A command may wait longer than a visitor. */
const BUSY_TIMEOUT_MS = 20_000;

/** A visitor's thread that waits for SQLite's lock looks again after up to 100 ms, and mostly 25. */
const LEAST_PAUSE_MS = 25;

/** How long the journal may be in use: longer than a backup of a million rows. */
const LONGEST_FORGET_MS = 30_000;

/**
 * 16 MB instead of 2, once something is written: an import of 60,000 into 300,000 read 137 MB instead of
 * 187. An export of a million has 96 MB for everything, and keeps the 2.
 */
const WRITING_CACHE = "PRAGMA cache_size = -16000";

/** Opens an SQLite file, even while a server uses it. @throws Error with a sentence for the founder */
export function openSqlite(
	file: string,
	{ create, alone }: { create: boolean; alone: boolean },
): Database {
	if (!create && !existsSync(file)) {
		throw new Error(
			`There is no waitlist at ${file}: start the server, which makes it, or set DATABASE_URL as the server has it.`,
		);
	}
	const connection = connectSqlite(file, create);
	const { tx, transact } = prepareOnce(connection);
	const findLost = rememberPlaces(file);
	connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
	if (alone) {
		// A page that changes often is moved into the file less often than by default.
		connection.exec(`PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 8000; ${WRITING_CACHE}`);
	}
	let pausedUntil = 0;

	/**
	 * Leaves the lock to the visitors for as long as it was waited for and held: it is not fair, and a
	 * command that takes it again at once starves them.
	 */
	const write: Transact = async (work, input) => {
		await wait(Math.max(0, pausedUntil - performance.now()));
		refuseLost();
		const began = performance.now();
		connection.exec(WRITING_CACHE);
		const result = await transact(work, input);
		// Again: rows in a lost journal are acknowledged to nobody.
		refuseLost();
		const ended = performance.now();
		if (!alone) pausedUntil = ended + Math.max(LEAST_PAUSE_MS, ended - began);
		return result;
	};

	function refuseLost(): void {
		const [lost] = findLost();
		if (lost === undefined) return;
		throw new Error(
			`${file}${lost} was deleted, moved or replaced meanwhile, so that the last rows may not ` +
				"be stored. When it is back, run this again.",
		);
	}

	return {
		place: file,
		...tx,
		transact: write,
		read: (work, input) => transact(work, input, "BEGIN"),
		async exclusive(work) {
			try {
				connection.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE");
				return await transact(work, undefined, "BEGIN EXCLUSIVE");
			} catch (error) {
				if (!/database is locked/.test(`${error}`)) throw error;
				throw new Error(`${file} is in use: stop the server, and run this again.`);
			}
		},
		async forget() {
			const deadline = performance.now() + LONGEST_FORGET_MS;
			while (!tryToEmptyJournal(connection)) {
				if (performance.now() > deadline) {
					throw new Error(
						"The rows are deleted, but the deletion is not complete: another program has been " +
							`reading for ${LONGEST_FORGET_MS / 1000} s, so that ${file}-wal still holds what they ` +
							"held. When that program is done, run this command again until it says no more of " +
							"this. Then `waitlist find` says when it was.",
					);
				}
				// For the visitors.
				await wait(100);
			}
		},
		async check() {
			const problems = await tx.all(sql<{ integrity_check: string }>`PRAGMA integrity_check`);
			const integrity = problems.slice(0, 5).map((row) => row.integrity_check);
			const version = sql<{ found: string }>`SELECT sqlite_version() AS found`;
			const mode = statSync(file).mode & 0o777;
			const isOpen = (mode & 0o077) !== 0;
			const free = await freeBytes(file);
			return [
				{ name: "SQLite", ok: true, ...(await tx.first(version))! },
				{ name: "integrity", ok: integrity.join() === "ok", found: integrity.join("; ") },
				{
					name: "file mode",
					ok: !isOpen,
					found: `${mode.toString(8)}${isOpen ? ": others can read it, use chmod 600" : ""}`,
				},
				{ name: "disk", ok: free > LEAST_FREE_BYTES, found: `${Math.round(free / 1e6)} MB free` },
			];
		},
		async close() {
			// Closing alone would leave the journal: statements that are not collected keep the file open.
			connection.exec("PRAGMA wal_checkpoint(PASSIVE)");
			connection.close();
		},
	};
}
