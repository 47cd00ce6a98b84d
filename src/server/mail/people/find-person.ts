import type { Database } from "../../database/database.ts";
import type { Erasure } from "../../registrations/proofs/erasure-file.ts";
import { erasuresOf, hasErasures, readFingerprint } from "../../registrations/proofs/erasures.ts";
import { findByKeys, type Person } from "../../registrations/registrations.ts";
import {
	erasureKeyDiffers,
	erasureKeyLost,
	findErasureKey,
	type ProofPlaces,
} from "../../secret.ts";
import type { StoredLetter } from "../emails/letter.ts";
import { lettersOf } from "../emails/letters.ts";
import { leavingsOf, type PastLeaving } from "../links/leaving.ts";

/** A database that is asked, and its name for people. */
export type Asked = Pick<Database, "query" | "dialect" | "place">;

/** What is stored about a person. */
export interface Found {
	registration: Person | undefined;
	/** Earlier erasures of this address. */
	erasures: Omit<Erasure, "code">[];
	/** When they left, and how; absent where no proof knows of that. */
	leavings?: PastLeaving[];
	letters?: StoredLetter[];
	/** Why erasures could not be looked up, where they could not. */
	erasuresUnknown?: string;
}

/**
 * Finds all that is stored about a person.
 *
 * @param key of any spelling of the address, also of one that was erased
 */
export async function findPerson(
	{ database, places }: { database: Asked; places: ProofPlaces },
	key: string,
): Promise<Found> {
	const [registration] = await findByKeys(database.query, database.dialect, [key]);
	const known = { registration, ...(await findLetters(database, key)) };
	if (!(await hasErasures(database.query))) return { ...known, erasures: [] };
	try {
		const erasureKey = await findErasureKey(places);
		if (!erasureKey) throw erasureKeyLost(places);
		const stored = await readFingerprint(database.query);
		if (stored !== undefined && stored !== erasureKey.fingerprint) {
			throw erasureKeyDiffers(database.place);
		}
		const erasures = await erasuresOf(database.query, erasureKey.codeOf(key));
		const leavings = await leavingsOf(database.query, erasureKey, key);
		return { ...known, erasures, ...(leavings.length > 0 ? { leavings } : {}) };
	} catch (error) {
		return { ...known, erasures: [], erasuresUnknown: (error as Error).message };
	}
}

async function findLetters(
	{ query, dialect }: Asked,
	key: string,
): Promise<Pick<Found, "letters">> {
	const rows = await lettersOf(query, dialect, [key]);
	const letters = rows.map(({ reason, ...row }) => ({ ...row, code: reason || row.code }));
	return letters.length > 0 ? { letters } : {};
}
