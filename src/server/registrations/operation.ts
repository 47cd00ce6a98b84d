import type { Database, SharedDatabase } from "../database/database.ts";
import type { Statement } from "../database/sql.ts";
import type { SecretPlaces } from "../secret.ts";
import type { Settings } from "../settings.ts";

/** What a command or an admin page works with. */
export interface Operation<Db extends SharedDatabase = Database> {
	database: Db;
	settings: Settings;
	now: Date;
	/** Where the secret and the suppression file are. */
	places: SecretPlaces;
	/** Returns statements that record an action in the audit trail, for the transaction that does it. */
	note(action: string, details?: string): Statement[];
}
