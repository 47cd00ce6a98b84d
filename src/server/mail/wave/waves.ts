import { rowsIn, sql } from "../../database/sql.ts";
import type { Tx } from "../../database/transaction.ts";

/** An invitation has a code for each person; news say the same to everybody. */
export type WaveKind = "invitation" | "news";

/** Codes of a canceled wave are void. */
export type WaveState = "open" | "paused" | "cancelled";

/** A wave of emails. Times are ISO 8601 in UTC with milliseconds. */
export interface Wave {
	name: string;
	kind: WaveKind;
	state: WaveState;
	askedAt: string;
	changedAt: string;
	/** How many emails it is to have; 0 is one to everybody selected. */
	size: number;
	/** No email goes out before. */
	startsAt: string;
	/** Days after its email for which a code is good; 0 for news. */
	validDays: number;
	/** What the founder wrote; empty for our standard invitation. */
	subject: string;
	message: string;
}

export const VALID_DAYS = 14;

/** Names of waves are used in commands, tables and metrics. */
export const isWaveName = (text: string) => /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(text);

export const WAVE_NAME_INVALID =
	"It must be 1 to 64 letters, digits, dots, hyphens and underscores, as in beta-1.";

const FIELDS = sql`name, kind, state, asked_at AS "askedAt", changed_at AS "changedAt", size,
	starts_at AS "startsAt", valid_days AS "validDays", subject, message`;

/** All waves, the oldest first. */
export const readWaves = (tx: Tx): Promise<Wave[]> =>
	tx.all(sql<Wave>`SELECT ${FIELDS} FROM wave ORDER BY asked_at, name`);

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
