import type { DatabaseSettings } from "../../settings.ts";
import { becomeOwnerOf } from "../files/files.ts";
import type { Database } from "./database.ts";
import { openPostgresDatabase } from "./postgres-database.ts";
import { openSqliteDatabase } from "./sqlite-database.ts";

/**
 * Opens a database.
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
	if (database.kind === "postgres") return openPostgresDatabase(database);
	becomeOwnerOf(database.file);
	return openSqliteDatabase(database.file, { create, alone });
}
