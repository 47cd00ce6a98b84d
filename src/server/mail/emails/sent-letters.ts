import { type Dialect, firstsOf, keysAsJson, keysOf, ofPeople } from "../../database/dialect.ts";
import { ask, type Query } from "../../database/statement.ts";
import { daysAfter } from "../../time.ts";
import type { Wave } from "../wave/wave.ts";
import { UNSENT } from "./letter.ts";
import { addSent, markSent } from "./letter-changes.ts";

/** Marks the letters of these ids as sent. Gives the keys of their people. */
export async function markByIds(
	query: Query,
	dialect: Dialect,
	ids: readonly string[],
	now: Date,
): Promise<string[]> {
	if (ids.length === 0) return [];
	const which = `(state = 'unknown' OR ${UNSENT})
		AND id <> '' AND id IN ${firstsOf(dialect)}`;
	return keysOf(await ask(query, markSent(dialect, which, keysAsJson(ids), now.toISOString())));
}

/**
 * Marks the letters of people as sent: the unknown ones, or of one wave all that are still to be sent and
 * all that are missing here. Gives the key of its person for each letter.
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
	const [rows, time] = [keysAsJson(keys), now.toISOString()];
	if (!wave) {
		const which = `state = 'unknown' AND ${theirs}`;
		return keysOf(await ask(query, markSent(dialect, which, rows, time)));
	}
	const ofWave = `wave = $3 AND (state = 'unknown' OR ${UNSENT}) AND ${theirs}`;
	const marked = await ask(query, markSent(dialect, ofWave, rows, time, wave.name));
	const expiresAt = wave.kind === "invitation" ? daysAfter(now.getTime(), wave.validDays) : "";
	const added = await ask(query, addSent(dialect, rows, time, wave.name, wave.kind, expiresAt));
	return keysOf([...marked, ...added]);
}
