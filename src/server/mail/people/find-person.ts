import type { Database } from "../../database/database.ts";
import type { Tx } from "../../database/transaction.ts";
import { findByKeys, type Person } from "../../registrations/registrations.ts";
import { findKeyOf } from "../../registrations/suppression/open-suppression-list.ts";
import type { Suppression } from "../../registrations/suppression/suppression-file.ts";
import { suppressionsOf } from "../../registrations/suppression/suppression-list.ts";
import type { SecretPlaces } from "../../secret.ts";
import type { StoredEmail } from "../emails/email.ts";
import { emailsOf } from "../emails/emails.ts";
import { leavingsOf, type PastLeaving } from "../links/unsubscribe.ts";

/** A database that is asked, and its name for people. */
export type Asked = Pick<Database, "all" | "first" | "place">;

/** What is stored about a person. */
export interface Found {
	registration: Person | undefined;
	/** When and why this address was last deleted; empty if never. */
	deletions: Pick<Suppression, "at" | "reason">[];
	/** When they left, and how; absent where the suppression list does not say. */
	leavings?: PastLeaving[];
	letters?: StoredEmail[];
	/** Why the suppression list could not be read, where it could not. */
	deletionsUnknown?: string;
}

/**
 * Finds all that is stored about a person.
 *
 * @param key of any spelling of the address, also of one that was erased
 */
export async function findPerson(
	{ database, places }: { database: Asked; places: SecretPlaces },
	key: string,
): Promise<Found> {
	const [registration] = await findByKeys(database, [key]);
	const known = { registration, ...(await findEmails(database, key)) };
	try {
		const secret = await findKeyOf(database, places);
		if (!secret) return { ...known, deletions: [] };
		const entries = await suppressionsOf(database, [secret.hashOf(key)]);
		const deletions = entries.map(({ at, reason }) => ({ at, reason }));
		const leavings = await leavingsOf(database, secret, key);
		return { ...known, deletions, ...(leavings.length > 0 ? { leavings } : {}) };
	} catch (error) {
		return { ...known, deletions: [], deletionsUnknown: (error as Error).message };
	}
}

async function findEmails(tx: Tx, key: string): Promise<Pick<Found, "letters">> {
	const rows = await emailsOf(tx, [key]);
	const letters = rows.map(({ reason, ...row }) => ({ ...row, code: reason || row.code }));
	return letters.length > 0 ? { letters } : {};
}
