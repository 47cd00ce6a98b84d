import { messageOf } from "../text/message-of.ts";
import type { Transact, Tx } from "./sql.ts";

export interface SharedDatabase extends Tx {
	/** Its file or address, without a password. */
	place: string;
	transact: Transact;
	/** Runs a transaction that only reads, for as long as it takes: writers do not wait. */
	read: Transact;
	/**
	 * Overwrites what the journal still holds of deleted rows. A server does so in the background.
	 *
	 * @throws Error with a sentence for the founder when the journal could not be emptied
	 */
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
