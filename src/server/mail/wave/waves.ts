import { rowsIn, sql } from "../../database/sql.ts";
import type { Tx } from "../../database/transaction.ts";
import { VALID_DAYS, type Wave } from "./wave.ts";

const FIELDS = sql`name, kind, state, asked_at AS "askedAt", changed_at AS "changedAt", size,
	starts_at AS "startsAt", valid_days AS "validDays", subject, message`;

/** All waves, the oldest first. */
export const readWaves = (tx: Tx): Promise<Wave[]> =>
	tx.all(sql<Wave>`SELECT ${FIELDS} FROM wave ORDER BY asked_at, name`);

/** When a wave was last changed, ISO 8601; '' where there is none. */
export async function lastChange(tx: Tx): Promise<string> {
	const row = await tx.first(
		sql<{ time: string | null }>`SELECT max(changed_at) AS time FROM wave`,
	);
	return row?.time ?? "";
}

export const findWave = (tx: Tx, name: string): Promise<Wave | undefined> =>
	tx.first(sql<Wave>`SELECT ${FIELDS} FROM wave WHERE name = ${name}`);

/** Adds a wave, or saves a later change of it. */
export async function saveWave(tx: Tx, wave: Wave): Promise<void> {
	const { name, kind, state, askedAt, changedAt, size, startsAt, validDays, subject, message } =
		wave;
	await tx.all(sql`INSERT INTO wave (name, kind, state, asked_at, changed_at, size, starts_at,
			valid_days, subject, message)
		VALUES (${name}, ${kind}, ${state}, ${askedAt}, ${changedAt}, ${size}, ${startsAt}, ${validDays},
			${subject}, ${message})
		ON CONFLICT (name) DO UPDATE
		SET state = excluded.state, changed_at = excluded.changed_at, size = excluded.size
		WHERE excluded.changed_at > wave.changed_at`);
}

/** Adds the missing waves of imported invitations: arrays of a key, a wave and a time. */
export const addWavesOf = (invitations: readonly (readonly string[])[], now: Date) =>
	sql`INSERT INTO wave (name, kind, state, asked_at, changed_at, size, starts_at, valid_days,
			subject, message)
		SELECT value->>1, 'invitation', 'open', min(value->>2), ${now.toISOString()}, 0, min(value->>2),
			CAST(${VALID_DAYS} AS INT), '', ''
		FROM ${rowsIn(invitations)} WHERE TRUE GROUP BY 1 ON CONFLICT (name) DO NOTHING`;
