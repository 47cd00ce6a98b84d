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
import { createErasureFile, readErasureFile } from "./erasure-file.ts";
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
	return openBy(erasureKey, database, places, { leavingOthers: true });
}

/** Opens the proofs for those from elsewhere: the key is needed though none is kept here. */
export async function openProofsToAdd(
	database: SharedDatabase,
	places: ProofPlaces,
): Promise<Proofs> {
	return openByRightKey(database, places, await findErasureKey(places));
}

/**
 * Opens the proofs of a database that may lack some which the file has: it gets them.
 *
 * @param leavingOthers whether the file may have proofs that the key does not recognize
 */
export async function openProofsToRestore(
	database: SharedDatabase,
	places: ProofPlaces,
	{ leavingOthers }: { leavingOthers: boolean },
): Promise<Proofs> {
	const erasureKey = await findErasureKey(places);
	return openByRightKey(database, places, erasureKey, { restoring: true, leavingOthers });
}

/** What becomes of proofs in the file. */
interface FromFile {
	/** Whether the database may lack some, though it knows the key. */
	restoring?: boolean;
	/** Whether to leave those there that the key does not recognize. */
	leavingOthers?: boolean;
}

async function openByRightKey(
	database: SharedDatabase,
	places: ProofPlaces,
	erasureKey: ErasureKey | undefined,
	fromFile: FromFile = {},
): Promise<Proofs> {
	if (!erasureKey) throw erasureKeyLost(places);
	const { query } = database;
	const stored = await readFingerprint(query);
	if (stored === undefined || stored === erasureKey.fingerprint) {
		return openBy(erasureKey, database, places, fromFile);
	}
	if ((await hasErasures(query)) || (await isAnyRow(query, "registration"))) {
		throw erasureKeyDiffers(database.place);
	}
	// A server that started before its key was brought made another one, which nothing depends on.
	return openBy(erasureKey, database, places, { ...fromFile, restoring: true });
}

async function openBy(
	erasureKey: ErasureKey,
	database: SharedDatabase,
	{ file }: ProofPlaces,
	{ restoring = false, leavingOthers = false }: FromFile,
): Promise<Proofs> {
	const { query } = database;
	const stored = await readFingerprint(query);
	if (file !== undefined) {
		if (!existsSync(file)) {
			await createErasureFile(file, inOrderOfCode(query), stored ?? erasureKey.fingerprint);
		} else if (restoring || stored === undefined) {
			await takeIn(database, file, erasureKey, leavingOthers);
		}
	}
	if (stored !== erasureKey.fingerprint) await keepFingerprint(query, erasureKey.fingerprint);
	return { erasureKey, file, fingerprint: erasureKey.fingerprint };
}

/** Adds the proofs of the file to a database that lost them. */
async function takeIn(
	database: SharedDatabase,
	file: string,
	{ fingerprint }: ErasureKey,
	leavingOthers: boolean,
): Promise<void> {
	for await (const page of readErasureFile(file)) {
		const ours = page.filter(({ key }) => key === fingerprint);
		if (ours.length < page.length && !leavingOthers) throw erasureKeyDiffers(file);
		await database.transact(insertErasures, ours);
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
