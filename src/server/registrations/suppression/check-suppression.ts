import { existsSync } from "node:fs";
import type { Finding } from "../../database/database.ts";
import type { Tx } from "../../database/transaction.ts";
import { reasonOf } from "../../files/files.ts";
import type { SecretPlaces } from "../../secret.ts";
import { findKeyOf } from "./open-suppression-list.ts";
import { countForeign, readFingerprint } from "./suppression-list.ts";

/** Checks whether deleted people would be recognized, after a disaster as well. */
export async function checkSuppression(tx: Tx, places: SecretPlaces): Promise<Finding[]> {
	const { keyFile, file } = places;
	const key = await findKeyOf(tx, places).catch(reasonOf);
	const isNeeded = (await readFingerprint(tx)) !== undefined;
	const foreign = typeof key === "object" ? await countForeign(tx, key.fingerprint) : 0;
	const more = foreign > 0 ? `, and a lost key for ${foreign} entries` : "";
	return [
		{
			name: "key",
			ok: typeof key === "object" || (key === undefined && keyFile !== undefined),
			found:
				typeof key === "object"
					? key.fingerprint + more
					: (key ?? (keyFile ? "made when needed" : "WAITLIST_SECRET is not set")),
		},
		{
			name: "suppression file",
			ok: file !== undefined && (!isNeeded || existsSync(file)),
			found:
				file === undefined
					? "WAITLIST_SUPPRESSION_FILE is not set"
					: existsSync(file)
						? file
						: isNeeded
							? `${file} is missing: put it back, or start the server, which makes it again`
							: "none yet",
		},
	];
}
