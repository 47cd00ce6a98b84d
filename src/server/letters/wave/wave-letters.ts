import { collect, type Query, type SharedDatabase } from "../../database/database.ts";
import { type Dialect, keysAsJson, ofPeople } from "../../database/dialect.ts";
import { type Audience, mayGet } from "../eligibility.ts";
import { HELD, TAKEN_BACK, UNSENT } from "../letter.ts";
import { personOf } from "../who-may.ts";
import { type Wave, type WaveState, wavesIn } from "./wave.ts";

/** How many letters a wave has. */
export async function countLettersOf(
	{ query }: Pick<SharedDatabase, "query">,
	{ name }: Pick<Wave, "name">,
): Promise<number> {
	const [row] = await query<{ letters: number }>(
		`SELECT CAST(count(*) AS INTEGER) AS letters FROM letter WHERE wave = $1 AND wave <> ''`,
		[name],
	);
	return row!.letters;
}

/** SQL for the stream of a person's letters: 1 where they have not confirmed, as in stream.ts. */
const UNCONFIRMED = `CASE WHEN EXISTS (${personOf("registration")} AND confirmed_at <> '')
	THEN 0 ELSE 1 END`;

/**
 * Adds letters of a wave to those of these people who may get one. Whoever is being erased is left out.
 *
 * @returns how many were added
 */
export async function addLettersOf(
	query: Query,
	dialect: Dialect,
	wave: Wave,
	{ keys, audience, now }: { keys: readonly string[]; audience: Audience; now: Date },
): Promise<number> {
	const { name, kind, state, startsAt } = wave;
	const time = now.toISOString();
	const held = state === "paused" ? HELD.byWave : 0;
	const nextAt = [startsAt, time].sort().at(-1)!;
	const { parameters, put } = collect(keysAsJson(keys), kind, name, held, time, nextAt);
	const added = await query(
		`INSERT INTO letter (email_key, kind, wave, state, held, asked_at, next_at, unconfirmed)
		SELECT email_key, $2, $3, 'waiting', CAST($4 AS INT), $5, $6, ${UNCONFIRMED}
		FROM registration
		WHERE ${ofPeople(dialect)}
			AND ${mayGet(wave, audience, put)} ${dialect.takeRows}
		ON CONFLICT (email_key, kind, wave) DO NOTHING RETURNING email_key`,
		parameters,
	);
	return added.length;
}

/**
 * SQL for what the state of a wave makes of its letters that are still to be sent: which of them are
 * still to be changed, and how. No holding lets go what another one keeps.
 */
const changes: Record<WaveState, { which: string; set: string }> = {
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
		set: `state = 'refused', code = '${TAKEN_BACK}', held = 0`,
	},
};

/**
 * Changes letters of a wave that are still to be sent as its state wants it, while it is in that state.
 *
 * @returns how many were changed; less than `most` when no other is left
 */
export async function changeLettersOf(
	query: Query,
	{ name, state }: Pick<Wave, "name" | "state">,
	most: number,
): Promise<number> {
	const { which, set } = changes[state];
	const changed = await query(
		`UPDATE letter SET ${set} WHERE (email_key, kind, wave) IN (
			SELECT email_key, kind, wave FROM letter
			WHERE wave = $1 AND wave <> '' AND wave IN ${wavesIn(state)} AND ${UNSENT} AND ${which}
			LIMIT ${most}
		) RETURNING email_key`,
		[name],
	);
	return changed.length;
}
