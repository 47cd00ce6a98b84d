import {
	ask,
	type Database,
	runEach,
	type SharedDatabase,
	type Statement,
} from "../database/database.ts";
import { type Dialect, keysAsJson, keysOf, ofPeople } from "../database/dialect.ts";
import { retry } from "./table/letter-changes.ts";

/** Lets letters in some states wait again, those of the people with these keys, or all. */
function retryIn(
	states: string,
	dialect: Dialect,
	keys: readonly string[] | undefined,
	now: Date,
): Statement<{ key: string }> {
	const which = `state IN (${states}) AND ${keys ? ofPeople(dialect) : "$1 = ''"}`;
	return retry(which, keys ? keysAsJson(keys) : "", now.toISOString());
}

/**
 * Lets letters wait again that were refused or are unknown.
 *
 * @param keys of the people; all letters that are unknown without
 * @param also what else is done in the same transaction where a letter waits again
 * @returns the key of its person for each letter
 */
export async function retryLetters(
	database: Pick<Database, "dialect" | "transaction">,
	keys: readonly string[] | undefined,
	now: Date,
	also: readonly Statement[] = [],
): Promise<string[]> {
	const states = keys ? "'unknown', 'refused'" : "'unknown'";
	return database.transaction(async (query) => {
		const changed = await ask(query, retryIn(states, database.dialect, keys, now));
		if (changed.length > 0) await runEach(query, also);
		return keysOf(changed);
	});
}

/**
 * Lets unknown letters wait again.
 *
 * @param keys of the people; all without
 * @param note is done in the same transaction
 * @returns the key of its person for each letter
 */
export async function retryUnknown(
	{ dialect, run }: SharedDatabase,
	keys: readonly string[] | undefined,
	now: Date,
	note: readonly Statement[],
): Promise<string[]> {
	const { retried } = await run({ retried: retryIn("'unknown'", dialect, keys, now), note });
	return keysOf(retried);
}
