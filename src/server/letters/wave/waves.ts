import type { Query } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import type { Wave } from "./wave.ts";

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

/** How many of these waves are there as these know them, or were changed later. */
export async function countKeptWaves(
	query: Query,
	{ jsonRows }: Dialect,
	waves: readonly Wave[],
): Promise<number> {
	const rows = waves.map(({ name, changedAt }) => [name, changedAt]);
	const [row] = await query<{ kept: number }>(
		`SELECT CAST(count(*) AS INTEGER) AS kept FROM ${jsonRows}
		JOIN wave ON wave.name = value->>0 AND wave.changed_at >= value->>1`,
		[JSON.stringify(rows)],
	);
	return row!.kept;
}
