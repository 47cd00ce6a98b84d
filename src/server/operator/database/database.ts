import type { Dialect } from "../../waitlist/schema.ts";
import type { Run } from "../../waitlist/waitlist.ts";

/** Asks a question in SQL that both databases understand, with parameters `$1`, `$2`, … */
export type Query = <Selected extends object>(
	sql: string,
	parameters?: readonly (string | number)[],
) => Promise<Selected[]>;

/** One thing that was checked. */
export interface Finding {
	name: string;
	ok: boolean;
	/** What was found, in words. */
	found: string;
}

/** A waitlist's database as the operator's command sees it, beside a running server or alone. */
export interface Database {
	/** Where it is, for people. */
	place: string;
	dialect: Dialect;
	query: Query;
	/** All that is done in it happens at once, or not at all. */
	transaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result>;
	/** Reads in it see the database as it was at the start, whatever a server writes meanwhile. */
	snapshot<Result>(work: (query: Query) => Promise<Result>): Promise<Result>;
	/**
	 * Writes everything as it is now into an empty waitlist, and compares the two row by row. Only
	 * where the database can do so by itself.
	 *
	 * @param file an SQLite file that holds the schema and no row
	 * @throws Error with a sentence for the operator when the two differ
	 */
	copyInto?(file: string): Promise<void>;
	/**
	 * Makes sure that no erased row is left in a file of ours, as far as that can be done.
	 *
	 * @param texts of the erased rows, which are looked for
	 * @throws Error with a sentence for the operator when the journal could not be emptied
	 */
	forget(texts?: readonly string[]): Promise<void>;
	/** Checks everything that can be wrong with the database itself. */
	check(): Promise<Finding[]>;
	close(): Promise<void>;
}

/** Runs statements of the server's own that only read, without keeping a writer out. */
export function readIn({ query }: Pick<Database, "query">): Run {
	return async (statements) => {
		const results: object[][] = [];
		for (const { sql, parameters } of statements) results.push(await query(sql, parameters));
		return results;
	};
}

/** Runs statements of the server's own in a database of the operator's. */
export function runIn(database: Database): Run {
	return (statements) => database.transaction((query) => readIn({ query })(statements));
}
