import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import type { Database } from "../database/database.ts";
import type { Operation } from "../registrations/operation.ts";
import { hasErasures, type Proofs, readFingerprint } from "../registrations/proofs/erasures.ts";
import {
	knowsErasures,
	openProofs,
	openProofsToAdd,
	openProofsToRestore,
} from "../registrations/proofs/open-proofs.ts";
import { erasureKeyDiffers, findErasureKey, proofPlacesOf, saveSecret } from "../secret.ts";
import { type DatabaseSettings, describeDatabase } from "../settings.ts";

/**
 * Opens the proofs of the target by the erasure key of the source, and leaves that key beside a target
 * that is an SQLite file, if it is in a file now.
 *
 * @throws Error with a sentence for the operator when the erasure key is missing or not the right one
 */
export async function openProofsForMigration(
	{ database, settings, places }: Operation,
	other: Database,
	target: DatabaseSettings,
): Promise<Proofs | undefined> {
	const ours = await openProofs(database, places);
	const theirs = proofPlacesOf(settings, target);
	if (ours && places.secret === undefined) await saveSecret(theirs, ours.erasureKey.secret);
	const secret = theirs.secret ?? ours?.erasureKey.secret;
	const open = ours ? openProofsToAdd : openProofs;
	return open(other, { ...theirs, secret });
}

/**
 * Opens the proofs by which a restore leaves erased people out, as far as the operator asks for it.
 *
 * @throws Error with a sentence for the operator when it cannot be told who was erased
 */
export async function openProofsForRestore(
	{ database, settings, places }: Operation,
	backup: Database,
	{
		file,
		withoutProofs,
		agrees,
	}: { file: string; withoutProofs: boolean; agrees: (question: string) => Promise<boolean> },
): Promise<{ proofs: Proofs | undefined; sourceProofs: boolean }> {
	const emptied = await isEmptied(places.file, database, backup);
	const known = !emptied && (await knowsErasures(database, places));
	if (!known && !withoutProofs && !(await agrees(withoutProofsQuestion(places.file)))) {
		throw new Error(
			`Nothing was restored: ${describeDatabase(settings.database)} knows no erasure, and ` +
				`${places.file === undefined ? "WAITLIST_ERASURES names no file" : emptied ? `${places.file} is empty` : `there is no ${places.file}`}. ` +
				`Whoever was erased, or left, after ${file} was made would come back. Put the file of proofs there, ` +
				"or use --without-proofs if nobody was erased since, or to erase them again.",
		);
	}
	const fingerprint = await readFingerprint(backup.query);
	const adding = fingerprint !== undefined || (await hasErasures(backup.query));
	const erasureKey = await findErasureKey(places);
	const foreign =
		adding &&
		(!erasureKey || (fingerprint !== undefined && fingerprint !== erasureKey.fingerprint));
	if (foreign && erasureKey && !withoutProofs) throw erasureKeyDiffers(file);
	// Keeps the proofs as they are for the day when their key is found: there is nothing here to
	// lose.
	if (foreign && withoutProofs && !known) return { proofs: undefined, sourceProofs: true };
	if (!known && !adding) return { proofs: undefined, sourceProofs: true };
	const leavingOthers = withoutProofs;
	const proofs = await openProofsToRestore(database, places, { leavingOthers });
	return { proofs, sourceProofs: !foreign };
}

/** Whether the file of proofs lost them: it has none, and neither has the database, but the backup has. */
async function isEmptied(
	file: string | undefined,
	database: Database,
	backup: Database,
): Promise<boolean> {
	if (file === undefined || !existsSync(file) || (await stat(file)).size > 0) return false;
	return (await hasErasures(backup.query)) && !(await hasErasures(database.query));
}

function withoutProofsQuestion(file: string | undefined): string {
	return (
		`No proof of erasure is known here${file ? `, and there is no ${file}` : ""}. Whoever was erased, ` +
		"or left, after the backup was made would come back. Restore all the same?"
	);
}
