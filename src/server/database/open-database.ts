import { runAsOwnerOf } from "../files/files.ts";
import type { DatabaseSettings } from "../settings.ts";
import type { Database } from "./database.ts";
import { LONG_QUERY_MS, openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite/sqlite.ts";

/** Opens a database for a command. @param alone whether no other process uses the file */
export async function openDatabase(
	database: DatabaseSettings,
	{ create, alone = false }: { create: boolean; alone?: boolean },
): Promise<Database> {
	if (database.kind === "sqlite") {
		runAsOwnerOf(database.file);
		return openSqlite(database.file, { create, alone });
	}
	return openPostgres(database.url, { connections: 2, queryMs: LONG_QUERY_MS, name: "waitlist" });
}
