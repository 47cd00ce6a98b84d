import { existsSync, statSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { checkFreeSpace } from "../../files/files.ts";
import type { Database } from "../database.ts";
import { sql, type Transact } from "../sql.ts";
import { connectSqlite, transactionsOn, tryToEmptyJournal } from "./connection.ts";

const BUSY_TIMEOUT_MS = 20_000;

/** Lets a waiting server get the lock: SQLite usually retries after 25 ms, at most 100. */
const LEAST_PAUSE_MS = 25;

/** Maximum wait for readers of the journal: a backup of a million rows takes less. */
const LONGEST_FORGET_MS = 30_000;

/** 16 MB for writes: importing 60,000 people then reads 137 MB from the file instead of 187. */
const WRITING_CACHE = "PRAGMA cache_size = -16000";

/** Opens an SQLite file, even while a server uses it. @throws Error with a message for the founder */
export function openSqlite(
	file: string,
	{ create, alone }: { create: boolean; alone: boolean },
): Database {
	if (!create && !existsSync(file)) {
		throw new Error(
			`There is no waitlist at ${file}: start the server to create it, or set DATABASE_URL to the server's value.`,
		);
	}
	const connection = connectSqlite(file, create);
	const { tx, transact } = transactionsOn(connection);
	connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
	if (alone) {
		// With fewer checkpoints, SQLite writes frequently changed pages fewer times.
		connection.exec(`PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 8000; ${WRITING_CACHE}`);
	}
	let pausedUntil = 0;

	/** Pauses after each write: SQLite's lock is not fair, and a busy command would starve visitors. */
	const write: Transact = async (work, input) => {
		await wait(Math.max(0, pausedUntil - performance.now()));
		const began = performance.now();
		connection.exec(WRITING_CACHE);
		const result = await transact(work, input);
		const ended = performance.now();
		if (!alone) pausedUntil = ended + Math.max(LEAST_PAUSE_MS, ended - began);
		return result;
	};

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
						`The rows are deleted, but ${file}-wal still contains their data, because another program ` +
							`has been reading it for ${LONGEST_FORGET_MS / 1000} s. When that program has finished, run ` +
							"this command again until this message is gone. `waitlist find` then shows the deletion.",
					);
				}
				// Pauses so that visitors' joins can run.
				await wait(100);
			}
		},
		async check() {
			const problems = await tx.all(sql<{ integrity_check: string }>`PRAGMA integrity_check`);
			const integrity = problems.slice(0, 5).map((row) => row.integrity_check);
			const version = sql<{ found: string }>`SELECT sqlite_version() AS found`;
			const mode = statSync(file).mode & 0o777;
			const isOpen = (mode & 0o077) !== 0;
			const advice = isOpen ? ": others can read it, use chmod 600" : "";
			return [
				{ name: "SQLite", ok: true, ...(await tx.first(version))! },
				{ name: "integrity", ok: integrity.join() === "ok", found: integrity.join("; ") },
				{ name: "file mode", ok: !isOpen, found: `${mode.toString(8)}${advice}` },
				await checkFreeSpace(file),
			];
		},
		async close() {
			// Saves the journal's rows: closing leaves it behind if statements are not yet garbage-collected.
			connection.exec("PRAGMA wal_checkpoint(PASSIVE)");
			connection.close();
		},
	};
}
