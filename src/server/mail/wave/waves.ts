import type { Dialect } from "../../database/dialect.ts";
import { type Query, statement } from "../../database/statement.ts";
import { VALID_DAYS, type Wave } from "./wave.ts";

/** Each field of a wave with its column and type, in the order of a row. */
const columns = [
	["name", "name", "TEXT"],
	["kind", "kind", "TEXT"],
	["state", "state", "TEXT"],
	["askedAt", "asked_at", "TEXT"],
	["changedAt", "changed_at", "TEXT"],
	["size", "size", "INT"],
	["startsAt", "starts_at", "TEXT"],
	["validDays", "valid_days", "INT"],
	["subject", "subject", "TEXT"],
	["message", "message", "TEXT"],
] as const satisfies readonly (readonly [keyof Wave, string, string])[];

const NAMES = columns.map(([, column]) => column);
const FIELDS = columns.map(([field, column]) => `${column} AS "${field}"`).join(", ");

/** All waves, the oldest first. */
export function readWaves(query: Query): Promise<Wave[]> {
	return query(`SELECT ${FIELDS} FROM wave ORDER BY asked_at, name`);
}

/** When the operator last changed a wave, ISO 8601; '' where there is none. */
export async function lastChange(query: Query): Promise<string> {
	const [row] = await query<{ time: string | null }>("SELECT max(changed_at) AS time FROM wave");
	return row?.time ?? "";
}

/** A wave by its name, or undefined. */
export async function findWave(query: Query, name: string): Promise<Wave | undefined> {
	const [wave] = await query<Wave>(`SELECT ${FIELDS} FROM wave WHERE name = $1`, [name]);
	return wave;
}

/** Adds waves. Of those that are there the ones stay that the operator changed later. */
export async function mergeWaves(
	query: Query,
	{ jsonRows }: Dialect,
	waves: readonly Wave[],
): Promise<void> {
	const rows = waves.map((wave) => columns.map(([field]) => wave[field]));
	await query(
		`INSERT INTO wave (${NAMES.join(", ")})
		SELECT ${columns.map(([, , type], n) => `CAST(value->>${n} AS ${type})`).join(", ")}
		FROM ${jsonRows} WHERE true
		ON CONFLICT (name) DO UPDATE
		SET ${NAMES.slice(1).map((column) => `${column} = excluded.${column}`)}
		WHERE excluded.changed_at > wave.changed_at`,
		[JSON.stringify(rows)],
	);
}

/** Adds the missing waves of invitations. @param rows JSON, as insertInvitations takes them */
export const addWavesOf = ({ jsonRows }: Dialect, rows: string, now: Date) =>
	statement(
		`INSERT INTO wave (name, kind, state, asked_at, changed_at, size, starts_at, valid_days,
			subject, message)
		SELECT value->>1, 'invitation', 'open', min(value->>2), $2, 0, min(value->>2), ${VALID_DAYS},
			'', ''
		FROM ${jsonRows} WHERE true GROUP BY 1 ON CONFLICT (name) DO NOTHING`,
		...[rows, now.toISOString()],
	);
