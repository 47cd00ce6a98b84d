import type { Query } from "../database/database.ts";
import { type Dialect, keysAsJson, keysOf, ofPeople } from "../database/dialect.ts";
import { UNSENT } from "./letter.ts";
import type { Wave } from "./wave/wave.ts";

/** `code` of a letter that went out, as the operator knows from elsewhere. */
const TOLD = "told";

/**
 * SQL that marks letters as sent. A code expires the wave's days after now, which is the latest moment
 * at which its letter may have gone out, unless its expiry is known.
 *
 * @param which of them, in SQL
 */
function markSql({ daysAfter }: Dialect, which: string): string {
	return `UPDATE letter SET state = 'accepted', code = '${TOLD}', held = 0,
		ended_at = CASE ended_at WHEN '' THEN $2 ELSE ended_at END,
		expires_at = CASE WHEN kind = 'invitation' AND expires_at = '' THEN COALESCE((
			SELECT ${daysAfter("CAST($2 AS TEXT)", "valid_days")} FROM wave WHERE wave.name = letter.wave
		), '') ELSE expires_at END
		WHERE ${which} RETURNING email_key AS "key"`;
}

/** Marks the letters of these ids. Gives the keys of their people. */
export async function markByIds(
	query: Query,
	dialect: Dialect,
	ids: readonly string[],
	now: Date,
): Promise<string[]> {
	if (ids.length === 0) return [];
	const which = `(state = 'unknown' OR ${UNSENT})
		AND id <> '' AND id IN (SELECT value->>0 FROM ${dialect.jsonRows})`;
	return keysOf(await query(markSql(dialect, which), [keysAsJson(ids), now.toISOString()]));
}

/**
 * Marks the letters of people: the unknown ones, or all of one wave that are still to be sent, and
 * those of the wave that are missing here. Gives the key of its person for each letter.
 */
export async function markByKeys(
	query: Query,
	dialect: Dialect,
	keys: readonly string[],
	wave: Wave | undefined,
	now: Date,
): Promise<string[]> {
	if (keys.length === 0) return [];
	const theirs = ofPeople(dialect);
	const parameters = [keysAsJson(keys), now.toISOString()];
	if (!wave) {
		return keysOf(await query(markSql(dialect, `state = 'unknown' AND ${theirs}`), parameters));
	}
	const ofWave = `wave = $3 AND (state = 'unknown' OR ${UNSENT}) AND ${theirs}`;
	const marked = await query<{ key: string }>(markSql(dialect, ofWave), [...parameters, wave.name]);
	const { takeRows, daysAfter } = dialect;
	const expiresAt =
		wave.kind === "invitation" ? daysAfter("CAST($2 AS TEXT)", `${wave.validDays}`) : "''";
	const added = await query<{ key: string }>(
		`INSERT INTO letter (email_key, kind, wave, state, code, asked_at, next_at, ended_at, expires_at)
		SELECT email_key, $4, $3, 'accepted', '${TOLD}', $2, $2, $2, ${expiresAt} FROM registration
		WHERE ${theirs} ${takeRows}
		ON CONFLICT (email_key, kind, wave) DO NOTHING RETURNING email_key AS "key"`,
		[...parameters, wave.name, wave.kind],
	);
	return keysOf([...marked, ...added]);
}

/** Which of these people have a letter that is known as sent, or one of a wave. */
export async function keysWithSent(
	query: Query,
	dialect: Dialect,
	keys: readonly string[],
	wave: Wave | undefined,
): Promise<string[]> {
	return keysOf(
		await query(
			`SELECT DISTINCT email_key AS "key" FROM letter
			WHERE (state = 'accepted' OR redeemed_at <> '') ${wave ? "AND wave = $2" : ""}
				AND ${ofPeople(dialect)}`,
			[keysAsJson(keys), ...(wave ? [wave.name] : [])],
		),
	);
}

/** The people of the letters with these ids, by id. */
export async function peopleByLetter(
	query: Query,
	{ jsonRows }: Dialect,
	ids: readonly string[],
): Promise<Map<string, string>> {
	const rows = await query<{ id: string; key: string }>(
		`SELECT id, email_key AS "key" FROM letter
		WHERE id <> '' AND id IN (SELECT value->>0 FROM ${jsonRows})`,
		[keysAsJson(ids)],
	);
	return new Map(rows.map(({ id, key }) => [id, key]));
}
