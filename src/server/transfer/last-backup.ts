import { type Note, readNote, writeNote } from "../database/notes.ts";
import type { Query } from "../database/statement.ts";
import type { Tx } from "../database/transaction.ts";

/** The last backup that was read back. */
export interface LastBackup {
	/** ISO 8601. */
	madeAt: string;
	/** The path it was written to; it may have been moved since. */
	file: string;
}

const LAST_BACKUP: Note<LastBackup> = { name: "last backup" };

/** Undefined where none was made of this database. */
export const lastBackup = (query: Query) => readNote(query, LAST_BACKUP);

/** Notes in a database that a backup of it was made. */
export const noteBackup = ({ query }: Tx, made: LastBackup) => writeNote(query, LAST_BACKUP, made);
