import type { Dialect } from "../../database/dialect.ts";
import { type Query, statement } from "../../database/statement.ts";
import { because, HELD } from "../emails/letter.ts";
import { VALID_DAYS, type Wave, type WaveState } from "./wave.ts";

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

/** SQL for the names of all waves. */
export const ALL_WAVES = "(SELECT name FROM wave)";

/** SQL for the names of the waves that fit a condition in SQL. */
export const wavesWhere = (condition: string) => `(SELECT name FROM wave WHERE ${condition})`;

/** SQL for the names of the waves in a state. */
export const wavesIn = (state: WaveState) => wavesWhere(`state = '${state}'`);

/** SQL for the names of the waves that begin after a time in SQL. */
export const notBegunAt = (time: string) => wavesWhere(`starts_at > ${time}`);

/** SQL for a letter of a wave that was not cancelled. */
export const OF_LIVE_WAVE =
	"EXISTS (SELECT 1 FROM wave WHERE name = letter.wave AND state <> 'cancelled')";

/** SQL for when the code of a letter sent at a time in SQL expires; '' where it has no code. */
export const codeExpiry = ({ daysAfter }: Dialect, time: string) => `COALESCE((
		SELECT ${daysAfter(`CAST(${time} AS TEXT)`, "valid_days")} FROM wave
		WHERE wave.kind = 'invitation' AND wave.name = letter.wave
	), '')`;

/**
 * What the state of a wave makes of its letters that are still to be sent, in SQL: which of these are
 * still to be changed, and how. A letter that the operator holds stays held when its wave resumes, and
 * the other way round.
 */
export const lettersIn: Record<WaveState, { which: string; set: string }> = {
	paused: {
		which: `held IN (0, ${HELD.byOperator})`,
		set: `held = held | ${HELD.byWave}`,
	},
	open: {
		which: `held IN (${HELD.byWave}, ${HELD.byWave | HELD.byOperator})`,
		set: `held = held & ${HELD.byOperator}`,
	},
	cancelled: {
		which: "true",
		set: `state = 'refused', ${because("cancelled")}, held = 0`,
	},
};

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
