import { becomeOwnerOf } from "../files/files.ts";
import type { DatabaseSettings } from "../settings.ts";
import type { Database } from "./database.ts";
import { LONG_MS, openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite/sqlite.ts";

/**
 * Opens a database for a command, on this thread.
 *
 * @param create whether to make a missing SQLite file: a command in the wrong folder must not
 * @param alone nobody else uses it: one sync at the end is enough
 */
export async function openDatabase(
	database: DatabaseSettings,
	{ create, alone = false }: { create: boolean; alone?: boolean },
): Promise<Database> {
	if (database.kind === "sqlite") {
		becomeOwnerOf(database.file);
		return openSqlite(database.file, { create, alone });
	}
	return openPostgres(database.url, { connections: 2, queryMs: LONG_MS, name: "waitlist" });
}
