import type { Database, Query } from "../database/database.ts";

/** The last backup that was read back. */
export interface LastBackup {
	/** ISO 8601. */
	madeAt: string;
	/** Where it was written; it may have been moved since. */
	file: string;
}

/** Undefined where none was made of this database. */
export async function lastBackup(query: Query): Promise<LastBackup | undefined> {
	const [row] = await query<LastBackup>('SELECT made_at AS "madeAt", file FROM last_backup');
	return row;
}

/** Notes in a database that a backup of it was made. */
export async function noteBackup(database: Database, { madeAt, file }: LastBackup): Promise<void> {
	await database.transaction((query) =>
		query(
			`INSERT INTO last_backup (one, made_at, file) VALUES (1, $1, $2)
			ON CONFLICT (one) DO UPDATE SET made_at = excluded.made_at, file = excluded.file`,
			[madeAt, file],
		),
	);
}
