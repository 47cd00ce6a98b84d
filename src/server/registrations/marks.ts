import { type Dialect, keysAsJson, keysOf, ofPeople } from "../database/dialect.ts";
import { ask, type Query, runEach, type Statement } from "../database/statement.ts";
import type { Tx } from "../database/transaction.ts";
import { clearBurst, markByHand, unmark } from "./registrations.ts";

/**
 * Flags people as the operator judges them, so that no wave writes to them, or takes their mark back,
 * whoever gave it. No letter goes out by either.
 *
 * @param also what else is done in the same transaction where somebody changes
 * @returns the keys of those who changed
 */
export async function flagPeople(
	{ all, query, dialect }: Tx,
	{ keys, remove, also }: { keys: readonly string[]; remove: boolean; also: readonly Statement[] },
): Promise<string[]> {
	const change = remove ? unmark : markByHand;
	const changed = keysOf(await all(change(dialect, keysAsJson(keys))));
	if (changed.length > 0) await runEach(query, also);
	return changed;
}

/**
 * Takes the mark back: these people are like any other from now on.
 *
 * @param rows their keys, as keysAsJson gives them
 * @returns the keys of those who had it
 */
export async function clearBurstOf(
	query: Query,
	dialect: Dialect,
	rows: string,
): Promise<string[]> {
	return keysOf(await ask(query, clearBurst(dialect, ofPeople(dialect), rows)));
}
