import { existsSync } from "node:fs";
import type { Database, Finding } from "../../database/database.ts";
import {
	erasureKeyDiffers,
	erasureKeyLost,
	findErasureKey,
	type ProofPlaces,
} from "../../secret.ts";
import { readFingerprint } from "./erasures.ts";
import { knowsErasures } from "./open-proofs.ts";

/** Checks whether erased addresses would be recognized, after a disaster as well. */
export async function checkProofs(database: Database, places: ProofPlaces): Promise<Finding[]> {
	const known = await knowsErasures(database, places);
	return [
		{ name: "erasure key", ...(await checkKey(database, places, known)) },
		{ name: "proofs of erasure", ...checkFile(places, known) },
	];
}

type Found = Omit<Finding, "name">;

const right = (found: string): Found => ({ ok: true, found });
const wrong = (found: string): Found => ({ ok: false, found });

async function checkKey(database: Database, places: ProofPlaces, known: boolean): Promise<Found> {
	const erasureKey = await findErasureKey(places).catch((error: Error) => error);
	if (erasureKey instanceof Error) return wrong(erasureKey.message);
	if (erasureKey === undefined) {
		if (known) return wrong(erasureKeyLost(places).message);
		if (places.keyFile !== undefined) return right("made when needed");
		return wrong("WAITLIST_SECRET is not set, which erase needs");
	}
	const stored = await readFingerprint(database.query);
	if (stored === undefined || stored === erasureKey.fingerprint) return right("there");
	return wrong(erasureKeyDiffers(database.place).message);
}

function checkFile({ file }: ProofPlaces, known: boolean): Found {
	if (file === undefined) return wrong("WAITLIST_ERASURES is not set, which erase needs");
	if (!known) return right("none");
	if (existsSync(file)) return right(`also in ${file}`);
	return wrong(
		`only in the database, which may be lost: put the file of proofs back to ${file}, or run \`waitlist erase --older-than 24\`, which writes all of them there`,
	);
}
