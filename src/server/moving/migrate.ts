import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import { countHeld } from "../letters/held.ts";
import { proofPlacesOf, saveSecret } from "../secret.ts";
import type { DatabaseSettings } from "../settings.ts";
import { openProofs, type Proofs } from "../waitlist/erasures.ts";
import type { Operation } from "../waitlist/operation.ts";
import { type Copied, copy } from "./copy.ts";

/** The result of a move. */
export interface Migrated extends Copied {
	/** Letters of the target that wait for a word from the operator. */
	held: number;
	/** Where the target is, for the operator. */
	place: string;
}

/**
 * Copies everything to another database while the server runs, and compares the two.
 *
 * @param target is made if there is none
 * @throws Error with a sentence for the operator when the key of proofs is missing or not the right one
 */
export async function migrate(operation: Operation, target: DatabaseSettings): Promise<Migrated> {
	const other = await openDatabase(target, { create: true });
	try {
		const proofs = await openProofsOfBoth(operation, other, target);
		const copied = await copy(operation.database, other, {
			...{ ...operation, proofs, unsent: "held" },
		});
		const { byOperator: held } = await countHeld(other.query);
		return { ...copied, held, place: other.place };
	} finally {
		await other.close();
	}
}

/**
 * Opens the proofs of the target by the key of the source, and leaves that key beside a target that
 * is an SQLite file, if it is in a file now.
 *
 * @throws Error with a sentence for the operator when the key is missing or not the right one
 */
async function openProofsOfBoth(
	{ database, settings, places }: Operation,
	other: Database,
	target: DatabaseSettings,
): Promise<Proofs | undefined> {
	const ours = await openProofs(database, places);
	const theirs = proofPlacesOf(settings, target);
	if (ours && places.secret === undefined) await saveSecret(theirs, ours.key.secret);
	const secret = theirs.secret ?? ours?.key.secret;
	return openProofs(other, { ...theirs, secret }, { adding: ours !== undefined });
}
