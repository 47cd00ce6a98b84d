import { type Note, readNote, writeNote } from "./notes.ts";
import type { Tx } from "./transaction.ts";

/** The last backup that was read back. */
export interface LastBackup {
	/** ISO 8601. */
	madeAt: string;
	/** The path it was written to; it may have been moved since. */
	file: string;
}

const LAST_BACKUP: Note<LastBackup> = { name: "last backup" };

/** Undefined where none was made of this database. */
export const lastBackup = (tx: Tx) => readNote(tx, LAST_BACKUP);

/** Notes in a database that a backup of it was made. */
export const noteBackup = (tx: Tx, made: LastBackup) => writeNote(tx, LAST_BACKUP, made);
