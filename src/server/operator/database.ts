import type { DatabaseSettings } from "../settings.ts";
import type { Registration } from "../waitlist/waitlist.ts";
import { openPostgresDatabase } from "./postgres-database.ts";
import { openSqliteDatabase } from "./sqlite-database.ts";

/** Asks a question in SQL that both databases understand, with parameters `$1`, `$2`, … */
export type Query = <Row extends object>(
	sql: string,
	parameters?: readonly (string | number)[],
) => Promise<Row[]>;

/** One thing that was looked at, and whether it is as it should be. */
export interface Finding {
	name: string;
	ok: boolean;
	/** What was found, in words. */
	found: string;
}

/** A waitlist's database, as the operator's command sees it: beside a running server, or alone. */
export interface Database {
	/** Where it is, for people. */
	place: string;
	query: Query;
	/** A table of the elements of the JSON array in `$1`, each in a column named `value`. */
	jsonRows: string;
	/** Adds the registrations whose key is not there yet, and gives the keys that were added. */
	add(registrations: readonly Registration[]): Promise<string[]>;
	/** All that is done in it happens at once, or not at all. */
	transaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result>;
	/** Reads from it see the database as it was at its start, whatever a server writes meanwhile. */
	snapshot<Result>(work: (query: Query) => Promise<Result>): Promise<Result>;
	/** Makes sure that what was erased is not left in a journal. */
	forget(): Promise<void>;
	/** Looks at everything that can be wrong with it. */
	check(): Promise<Finding[]>;
	close(): Promise<void>;
}

/**
 * Opens a database.
 *
 * @param create whether a missing SQLite file is made; else it is an error, because a command in
 *   the wrong folder would find an empty waitlist
 * @throws Error with a sentence for the operator
 */
export function openDatabase(
	database: DatabaseSettings,
	{ create }: { create: boolean },
): Promise<Database> {
	return database.kind === "sqlite"
		? openSqliteDatabase(database.file, { create })
		: openPostgresDatabase(database);
}
