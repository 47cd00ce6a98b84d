import type { Database, SharedDatabase } from "../database/database.ts";
import type { Statement } from "../database/sql.ts";
import type { SecretLocations } from "../secret.ts";
import type { Settings } from "../settings.ts";

export interface Operation<Db extends SharedDatabase = Database> {
	database: Db;
	settings: Settings;
	now: Date;
	places: SecretLocations;
	/** Returns statements that audit an action: run them in its transaction. */
	note(action: string, details?: string): Statement[];
}
