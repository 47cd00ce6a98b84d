import { HOUR_MS } from "../time.ts";
import { type Statement, sql, type Tx } from "./sql.ts";

declare const VALUE: unique symbol;

export interface Note<Value> {
	name: string;
	/** Only for type inference; never set. */
	[VALUE]?: Value;
}

async function readValue<Value>(tx: Tx, find: Statement): Promise<Value | undefined> {
	const row = await tx.first(find as Statement<{ value: string }>);
	return (row && (JSON.parse(row.value) as Value | null)) ?? undefined;
}

export const readNote = <Value>(tx: Tx, { name }: Note<Value>) =>
	readValue<Value>(tx, sql`SELECT value FROM note WHERE name = ${name}`);

/** Reads a note and locks it until the transaction ends, even if it has no value yet. */
export const lockNote = <Value>(tx: Tx, { name }: Note<Value>) =>
	readValue<Value>(
		tx,
		sql`INSERT INTO note (name, value) VALUES (${name}, 'null')
			ON CONFLICT (name) DO UPDATE SET value = note.value RETURNING value`,
	);

export const writeNote = <Value>(tx: Tx, { name }: Note<Value>, value: Value | undefined) =>
	tx.all(sql`INSERT INTO note (name, value) VALUES (${name}, ${JSON.stringify(value ?? null)})
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`);

export interface LastBackup {
	madeAt: string;
	file: string;
}

const LAST_BACKUP: Note<LastBackup> = { name: "last backup" };

/** A day, plus two hours for the nightly backup to finish. */
export const isOldBackup = ({ madeAt }: LastBackup, nowMs: number) =>
	nowMs - Date.parse(madeAt) > 26 * HOUR_MS;

export const readLastBackup = (tx: Tx) => readNote(tx, LAST_BACKUP);

export const saveLastBackup = (tx: Tx, made: LastBackup) => writeNote(tx, LAST_BACKUP, made);
