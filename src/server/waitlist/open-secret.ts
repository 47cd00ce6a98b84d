import type { Query } from "../database/database.ts";
import { erasureKeyDiffers, findErasureKey, makeErasureKey, proofPlacesOf } from "../secret.ts";
import { describeDatabase, type Settings } from "../settings.ts";
import { readFingerprint } from "./erasure-key.ts";
import { knowsErasures } from "./open-proofs.ts";

/**
 * Finds the secret of the erasure key for a server that only recognizes codes, and makes it where
 * nobody has one yet: proofs need more than that, and are left to whoever writes them.
 *
 * @param query asks the waitlist's database
 * @throws Error with a sentence for the operator when there is no erasure key, or the wrong one
 */
export async function openSecret(
	settings: Pick<Settings, "database" | "erasureKey" | "erasures">,
	query: Query,
): Promise<string> {
	const places = proofPlacesOf(settings, settings.database);
	const found = await findErasureKey(places);
	if (!found && (places.keyFile === undefined || (await knowsErasures({ query }, places)))) {
		throw new Error(
			"WAITLIST_API_KEY is set, but the key that codes are made with is missing: set " +
				"WAITLIST_ERASURE_KEY to the one of the server that sends the invitations" +
				`${places.keyFile === undefined ? "" : `, or put ${places.keyFile} back`}.`,
		);
	}
	const erasureKey = found ?? (await makeErasureKey(places));
	const stored = await readFingerprint(query);
	if (stored !== undefined && stored !== erasureKey.fingerprint) {
		throw erasureKeyDiffers(describeDatabase(settings.database));
	}
	return erasureKey.secret;
}
