import { failureReason } from "../files/files.ts";
import type { Transact, Tx } from "./sql.ts";

export interface SharedDatabase extends Tx {
	/** File path or server address, without the password. */
	place: string;
	transact: Transact;
	/** Runs a read-only transaction of any length, without blocking writers. */
	read: Transact;
	/** Erases deleted rows from SQLite's journal file. @throws Error if it fails */
	forget(): Promise<void>;
	close(): Promise<void>;
}

export interface CheckResult {
	name: string;
	ok: boolean;
	found: string;
}

export interface Database extends SharedDatabase {
	/** Runs a transaction that locks out servers. @throws Error while a server is running */
	exclusive<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
	check(): Promise<CheckResult[]>;
}

export function cannotOpenError(place: string, cause: unknown): Error {
	return new Error(`The waitlist ${place} cannot be opened: ${failureReason(cause)}.`, { cause });
}
