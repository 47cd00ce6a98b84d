import { copyTables } from "../database/copy-tables.ts";
import type { Operation } from "../registrations/operation.ts";
import { findKey, placesOf, saveKey } from "../secret.ts";
import type { DatabaseSettings } from "../settings.ts";
import { type Filled, fillDatabase } from "./fill.ts";

/**
 * Copies everything into an empty database, while no server runs.
 *
 * @returns how many rows each table has
 * @throws Error with a sentence for the founder when a server runs, or the target has people
 */
export async function migrate(
	{ database, settings, places, now }: Operation,
	target: DatabaseSettings,
): Promise<Filled<Record<string, number>>> {
	const theirs = placesOf(settings, target);
	const [key, other] = [await findKey(places), await findKey(theirs)];
	if (key && other && key.fingerprint !== other.fingerprint) {
		throw new Error(
			`${theirs.keyFile} is the key of another list: move it away, and run this again.`,
		);
	}
	const filled = await database.exclusive((from) =>
		fillDatabase(target, now, (to) => copyTables(from, to)),
	);
	if (key && theirs.keyFile !== undefined) await saveKey(theirs.keyFile, key.secret);
	return filled;
}
