import { openDatabase } from "../database/open-database.ts";
import { countHeld } from "../mail/emails/letter-counts.ts";
import type { Operation } from "../registrations/operation.ts";
import type { DatabaseSettings } from "../settings.ts";
import { type Copied, copy } from "./copy.ts";
import { openProofsForMigration } from "./proofs-of-both.ts";

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
 * @throws Error with a sentence for the operator when the erasure key is missing or not the right one
 */
export async function migrate(operation: Operation, target: DatabaseSettings): Promise<Migrated> {
	const other = await openDatabase(target, { create: true });
	try {
		const proofs = await openProofsForMigration(operation, other, target);
		const copied = await copy(operation.database, other, {
			...operation,
			proofs,
			unsent: "held",
		});
		const { byOperator: held } = await countHeld(other.query);
		return { ...copied, held, place: other.place };
	} finally {
		await other.close();
	}
}
