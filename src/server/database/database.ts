import { messageOf } from "../text/message-of.ts";
import type { Transact, Tx } from "./sql.ts";

export interface SharedDatabase extends Tx {
	/** Its file or address, without a password. */
	place: string;
	transact: Transact;
	/** Runs a transaction that only reads, and may take long: writers do not wait for it. */
	read: Transact;
	/**
	 * Overwrites what the journal still holds of deleted rows. A command waits for it. A server tries
	 * in the background until it is done.
	 *
	 * @throws Error with a sentence for the founder when the journal could not be emptied
	 */
	forget(): Promise<void>;
	/** Leaves the database closed and complete. */
	close(): Promise<void>;
}

export interface Finding {
	name: string;
	ok: boolean;
	/** In words. */
	found: string;
}

/** The database of a command. */
export interface Database extends SharedDatabase {
	/**
	 * Runs a transaction alone, and keeps servers out until it ends.
	 *
	 * @throws Error with a sentence for the founder while a server runs
	 */
	exclusive<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
	check(): Promise<Finding[]>;
}

export function cannotOpen(place: string, cause: unknown): Error {
	return new Error(`The waitlist ${place} cannot be opened: ${messageOf(cause)}.`, { cause });
}
