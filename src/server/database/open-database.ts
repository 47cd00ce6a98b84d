import { becomeOwnerOf } from "../files/files.ts";
import { type DatabaseSettings, describeDatabase } from "../settings.ts";
import type { Database } from "./database.ts";
import { LONG_MS, openPostgres } from "./postgres/postgres.ts";
import { openSqlite } from "./sqlite/sqlite.ts";

/**
 * Opens a database for the command, on this thread.
 *
 * @param create whether a missing SQLite file is made; without it a missing file is an error, so
 *   that a command in the wrong folder does not find an empty waitlist
 * @param alone whether nobody else uses it, and it is synced at the end only
 * @throws Error with a sentence for the operator
 */
export async function openDatabase(
	database: DatabaseSettings,
	{ create, alone = false }: { create: boolean; alone?: boolean },
): Promise<Database> {
	if (database.kind === "sqlite") {
		becomeOwnerOf(database.file);
		return openSqlite(database.file, { create, alone });
	}
	const place = describeDatabase(database);
	return openPostgres(database.url, { place, connections: 2, queryMs: LONG_MS });
}
