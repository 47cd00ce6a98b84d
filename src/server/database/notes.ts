import { sql, type Tx } from "./sql.ts";

declare const VALUE: unique symbol;

/** A single value, kept as JSON under a name in the table `note`. */
export interface Note<Value> {
	name: string;
	/** Only for the compiler. */
	[VALUE]?: Value;
}

interface NoteRow {
	value: string;
}

const parseNote = <Value>(row: NoteRow | undefined) =>
	(row && (JSON.parse(row.value) as Value | null)) ?? undefined;

export async function readNote<Value>(tx: Tx, { name }: Note<Value>): Promise<Value | undefined> {
	const row = await tx.first(sql<NoteRow>`SELECT value FROM note WHERE name = ${name}`);
	return parseNote<Value>(row);
}

/** Reads a note, and locks it until the transaction ends. A note without a value can be locked too. */
export async function lockNote<Value>(tx: Tx, { name }: Note<Value>): Promise<Value | undefined> {
	const row = await tx.first(
		sql<NoteRow>`INSERT INTO note (name, value) VALUES (${name}, 'null')
			ON CONFLICT (name) DO UPDATE SET value = note.value RETURNING value`,
	);
	return parseNote<Value>(row);
}

export async function writeNote<Value>(
	tx: Tx,
	{ name }: Note<Value>,
	value: Value | undefined,
): Promise<void> {
	await tx.all(
		sql`INSERT INTO note (name, value) VALUES (${name}, ${JSON.stringify(value ?? null)})
			ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
	);
}

/** The last backup that was read back. */
export interface LastBackup {
	/** ISO 8601. */
	madeAt: string;
	/** The path it was written to; it may have been moved since. */
	file: string;
}

const LAST_BACKUP: Note<LastBackup> = { name: "last backup" };

export const lastBackup = (tx: Tx) => readNote(tx, LAST_BACKUP);

export const noteBackup = (tx: Tx, made: LastBackup) => writeNote(tx, LAST_BACKUP, made);
