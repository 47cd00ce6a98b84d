import { ask, type Database, runEach, type Statement } from "../database/database.ts";
import { tellErased } from "../events/event.ts";
import { personNames } from "../events/person.ts";
import type { Erasure } from "../waitlist/proofs/erasure-file.ts";
import { keepProofs, lockProofs, type Proofs } from "../waitlist/proofs/erasures.ts";
import { deleteRecipients } from "../waitlist/recipients.ts";
import { deleteRegistrations } from "../waitlist/registrations.ts";
import { deleteLetters } from "./table/letter-changes.ts";

/**
 * Deletes people, with all that is kept of their letters, and keeps a proof of each, all of them or
 * none. Gives the proofs. Afterwards the caller has the database forget them: see `Database.forget`.
 *
 * @param also what else is done in the same transaction where somebody is erased
 */
export function erasePeople(
	database: Database,
	proofs: Proofs,
	keys: readonly string[],
	{ now, reason, also = [] }: { now: Date; reason: string; also?: readonly Statement[] },
): Promise<Erasure[]> {
	const time = now.toISOString();
	const { dialect } = database;
	const name = personNames(proofs.erasureKey.secret);
	const nameOf = ({ key, email }: { key: string; email: string }) => ({
		key,
		email,
		person: name(key),
	});
	return database.transaction(async (query) => {
		await lockProofs(query, proofs);
		const deleted = await deleteRegistrations(query, dialect, keys);
		// Letters come first: whoever sends one now makes its recipient.
		await ask(query, deleteLetters(dialect, keys));
		await deleteRecipients(query, dialect, keys);
		const erasures = deleted.map(({ key, createdAt }) => {
			// A wrong clock may have dated a join later than now: a backup has it like that.
			const erasedAt = [createdAt, time].sort().at(-1)!;
			return { code: proofs.erasureKey.codeOf(key), erasedAt, reason };
		});
		if (erasures.length > 0)
			await runEach(query, [...tellErased(dialect, deleted.map(nameOf), time), ...also]);
		await keepProofs(query, database, proofs, erasures);
		return erasures;
	});
}
