import { messageOf } from "../text/message-of.ts";
import type { Transact, Tx } from "./sql.ts";

export interface SharedDatabase extends Tx {
	/** Its file or address, without a password. */
	place: string;
	transact: Transact;
	/** Runs a transaction that only reads, for as long as it takes: writers do not wait. */
	read: Transact;
	/** Overwrites what the journal holds of deleted rows; on a server in the background. @throws if it cannot */
	forget(): Promise<void>;
	close(): Promise<void>;
}

export interface Finding {
	name: string;
	ok: boolean;
	found: string;
}

/** The database of a command. */
export interface Database extends SharedDatabase {
	/** Runs a transaction that keeps servers out. @throws Error with a sentence while a server runs */
	exclusive<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
	check(): Promise<Finding[]>;
}

export function cannotOpen(place: string, cause: unknown): Error {
	return new Error(`The waitlist ${place} cannot be opened: ${messageOf(cause)}.`, { cause });
}
