/** A checked address on its way to the database. */
export interface Registration {
	/** The canonical address: two registrations with one key are the same person. */
	key: string;
	/** The address as typed, without the space around it. */
	email: string;
	/** The label of the site it came from. */
	source: string;
	/** When the server received it, ISO 8601 in UTC with milliseconds. */
	createdAt: string;
	/** Version of the legal texts that were shown: the record of consent. */
	terms: string;
	/** Marks that suggest a program: `trap`, or empty. Kept for the operator to judge. */
	flags: string;
}

/** What became of a join. The first two are on disk. */
export type Outcome = "registered" | "duplicate" | "unavailable";

/** A statement in SQL that both databases understand, with parameters `$1`, `$2`, … */
export interface Statement {
	sql: string;
	/** As many as the statement names. */
	parameters?: readonly (string | number)[];
}

/**
 * Runs statements in one transaction, and gives the rows of each once the transaction is synced to
 * disk.
 *
 * @throws when nothing is known to be stored
 */
export type Run = (statements: readonly Statement[]) => Promise<object[][]>;

/** The waitlist, as the rest of the server sees it. */
export interface Waitlist {
	/**
	 * Puts an address on the list.
	 *
	 * @returns `registered` for the first join with this key and `duplicate` for every later one,
	 *   both once the row is synced to disk; `unavailable` when that could not be done now. Trying
	 *   again is always safe.
	 */
	join(registration: Registration): Promise<Outcome>;
	/** Whether a join could be kept now. */
	isReady(): Promise<boolean>;
	/** Registrations in the queue. */
	readonly waiting: number;
	/** For what else is kept in the waitlist's database. */
	run: Run;
	/** Takes nothing more, finishes what has been taken, and closes the database. */
	close(): Promise<void>;
}

/** What a database does for the waitlist: it adds whole batches, each in one transaction. */
export interface Ledger {
	/**
	 * Adds the rows whose key is not there yet, and resolves when they are synced to disk.
	 *
	 * @returns the keys that were added: each once, though a batch may hold a key several times
	 * @throws when nothing is known to be stored; the rows may be offered again
	 */
	add(registrations: readonly Registration[]): Promise<Iterable<string>>;
	run: Run;
	/**
	 * Resolves when the database has shown that it would add a row, and none was added.
	 *
	 * @throws for the reasons for which adding would fail
	 */
	probe(): Promise<void>;
	/** Leaves the database closed and complete. */
	close(): Promise<void>;
}

/**
 * The statements that add a batch, in one transaction. The first one gives the keys that were added.
 *
 * @param rows the batch, as `rowsAsJson` gives it
 */
export type Joining = (rows: string) => readonly Statement[];

/**
 * Says to the operator why a waitlist cannot be used.
 *
 * @param place where it is, for people
 */
export function cannotOpen(place: string, cause: unknown): Error {
	return new Error(`The waitlist ${place} cannot be opened: ${reasonOf(cause)}.`, { cause });
}

function reasonOf(cause: unknown): string {
	// Node puts the failures at all addresses of a host name into one error.
	if (cause instanceof AggregateError) return reasonOf(cause.errors[0]);
	return cause instanceof Error ? cause.message : String(cause);
}
