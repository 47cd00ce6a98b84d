import { existsSync } from "node:fs";
import type { SharedDatabase } from "../../database/database.ts";
import { isAnyRow } from "../../database/rows.ts";
import { Refusal } from "../../refusal.ts";
import {
	type ErasureKey,
	erasureKeyDiffers,
	erasureKeyLost,
	findErasureKey,
	makeErasureKey,
	type ProofPlaces,
} from "../../secret.ts";
import { createErasureFile, type Erasure, readErasureFile } from "./erasure-file.ts";
import {
	hasErasures,
	inOrderOfCode,
	insertErasures,
	keepFingerprint,
	type Proofs,
	readFingerprint,
} from "./erasures.ts";

/**
 * Opens the proofs of a database for a command that writes.
 *
 * @returns undefined when nobody was ever erased, as far as database and file know
 * @throws Error with a sentence for the operator when the key is missing or not the right one
 */
export async function openProofs(
	database: SharedDatabase,
	places: ProofPlaces,
): Promise<Proofs | undefined> {
	const known = await knowsErasures(database, places);
	const erasureKey = await findErasureKey(places);
	return known ? openByRightKey(database, places, erasureKey) : undefined;
}

/**
 * Opens the proofs for whoever erases, or writes letters, whose links need the key. The first time
 * that makes a key and a file.
 *
 * @throws Error with a sentence for the operator also when a setting has to name a place for them
 */
export async function openOrMakeProofs(
	database: SharedDatabase,
	places: ProofPlaces,
): Promise<Proofs> {
	refuseWithoutFile(places);
	const known = await knowsErasures(database, places);
	let erasureKey = await findErasureKey(places);
	if (!known) erasureKey ??= await makeFirstKey(places);
	return openByRightKey(database, places, erasureKey);
}

/** The same by another key than the one that the database knows, which is lost for good. */
export async function openProofsByNewKey(
	database: SharedDatabase,
	places: ProofPlaces,
): Promise<Proofs> {
	refuseWithoutFile(places);
	const erasureKey = (await findErasureKey(places)) ?? (await makeFirstKey(places));
	return openBy(erasureKey, database, places);
}

async function openByRightKey(
	database: SharedDatabase,
	places: ProofPlaces,
	erasureKey: ErasureKey | undefined,
): Promise<Proofs> {
	if (!erasureKey) throw erasureKeyLost(places);
	const { query } = database;
	const stored = await readFingerprint(query);
	if (stored === undefined || stored === erasureKey.fingerprint) {
		return openBy(erasureKey, database, places);
	}
	if ((await hasErasures(query)) || (await isAnyRow(query, "registration"))) {
		throw erasureKeyDiffers(database.place);
	}
	// A server that started before its key was brought made another one, which nothing depends on.
	return openBy(erasureKey, database, places, { restoring: true });
}

async function openBy(
	erasureKey: ErasureKey,
	database: SharedDatabase,
	{ file }: ProofPlaces,
	{ restoring = false } = {},
): Promise<Proofs> {
	const { query } = database;
	const stored = await readFingerprint(query);
	if (file !== undefined) {
		if (!existsSync(file)) {
			await createErasureFile(file, inOrderOfCode(query), stored ?? erasureKey.fingerprint);
		} else if (restoring || stored === undefined) {
			await takeIn(file, erasureKey, (page) => database.transact(insertErasures, page));
		}
	}
	if (stored !== erasureKey.fingerprint) await keepFingerprint(query, erasureKey.fingerprint);
	return { erasureKey, file, fingerprint: erasureKey.fingerprint };
}

/** Reads the proofs of the file that a key recognizes. The others stay in the file. */
export async function takeIn(
	file: string,
	{ fingerprint }: ErasureKey,
	add: (erasures: Erasure[]) => Promise<unknown>,
): Promise<void> {
	for await (const page of readErasureFile(file)) {
		await add(page.filter(({ key }) => key === fingerprint));
	}
}

function refuseWithoutFile({ file }: ProofPlaces): void {
	if (file === undefined) throw noPlace("WAITLIST_ERASURES", "the path of a file");
}

async function makeFirstKey(places: ProofPlaces): Promise<ErasureKey> {
	if (places.keyFile !== undefined) return makeErasureKey(places);
	throw noPlace("WAITLIST_SECRET", "a secret (openssl rand -hex 32 makes one)");
}

function noPlace(setting: string, value: string): Error {
	return new Refusal(
		`Set ${setting} to ${value}, and keep it: with key and file an erased address is recognized, ` +
			"so that an old backup cannot bring it back.",
	);
}

/** Whether the database, or the file outside it, can tell who was erased. */
export async function knowsErasures(
	{ query }: Pick<SharedDatabase, "query">,
	{ file }: Pick<ProofPlaces, "file">,
): Promise<boolean> {
	if (file !== undefined && existsSync(file)) return true;
	return (await readFingerprint(query)) !== undefined || (await hasErasures(query));
}
