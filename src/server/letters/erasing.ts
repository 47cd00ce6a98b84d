import type { Database } from "../database/database.ts";
import type { Erasure } from "../waitlist/erasure-file.ts";
import { keepProofs, lockProofs, type Proofs } from "../waitlist/erasures.ts";
import { deleteRecipients } from "../waitlist/recipients.ts";
import { deleteRegistrations } from "../waitlist/registrations.ts";
import { deleteLetters } from "./letters.ts";

/**
 * Deletes people, with all that is kept of their letters, and keeps a proof of each, all of them or
 * none. Gives the proofs.
 */
export function erasePeople(
	database: Database,
	proofs: Proofs,
	keys: readonly string[],
	{ now, reason }: { now: Date; reason: string },
): Promise<Erasure[]> {
	const time = now.toISOString();
	const { dialect } = database;
	return database.transaction(async (query) => {
		await lockProofs(query, proofs);
		const deleted = await deleteRegistrations(query, dialect, keys);
		// Letters come first: whoever sends one now makes its recipient.
		await deleteLetters(query, dialect, keys);
		await deleteRecipients(query, dialect, keys);
		const erasures = deleted.map(({ key, createdAt }) => {
			// A wrong clock may have dated a join later than now: a backup has it like that.
			const erasedAt = [createdAt, time].sort().at(-1)!;
			return { code: proofs.erasureKey.codeOf(key), erasedAt, reason };
		});
		await keepProofs(query, database, proofs, erasures);
		return erasures;
	});
}
