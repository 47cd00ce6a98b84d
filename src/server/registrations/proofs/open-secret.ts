import type { Query } from "../../database/statement.ts";
import { erasureKeyDiffers, findErasureKey, makeErasureKey, proofPlacesOf } from "../../secret.ts";
import { describeDatabase, type Settings } from "../../settings.ts";
import { readFingerprint } from "./erasures.ts";
import { knowsErasures } from "./open-proofs.ts";

/**
 * Finds the secret of the erasure key for a server that only recognizes codes, and makes it where
 * nobody has one yet: proofs need more than that, and are left to whoever writes them.
 *
 * @param query asks the waitlist's database
 * @param missing what is missing where nobody has set it, and to what: the beginning of a sentence
 * @throws Error with a sentence for the operator when there is no erasure key, or the wrong one
 */
export async function openSecret(
	settings: Pick<Settings, "database" | "secret" | "erasures">,
	query: Query,
	missing: string,
): Promise<string> {
	const places = proofPlacesOf(settings, settings.database);
	const found = await findErasureKey(places);
	if (!found && (places.keyFile === undefined || (await knowsErasures({ query }, places)))) {
		throw new Error(
			`${missing}${places.keyFile === undefined ? "" : `, or put ${places.keyFile} back`}.`,
		);
	}
	const erasureKey = found ?? (await makeErasureKey(places));
	const stored = await readFingerprint(query);
	if (stored !== undefined && stored !== erasureKey.fingerprint) {
		throw erasureKeyDiffers(describeDatabase(settings.database));
	}
	return erasureKey.secret;
}
