import type { Command } from "commander";
import type { Database } from "../database/database.ts";
import type { StoredLetter } from "../letters/letter.ts";
import { lettersOf } from "../letters/letters.ts";
import { leavingsOf } from "../letters/links/leaving.ts";
import { printableLine } from "../printable.ts";
import { erasureKeyDiffers, erasureKeyLost, findErasureKey } from "../secret.ts";
import type { Erasure } from "../waitlist/erasure-file.ts";
import { readFingerprint } from "../waitlist/erasure-key.ts";
import { erasuresOf, hasErasures } from "../waitlist/erasures.ts";
import type { Operation } from "../waitlist/operation.ts";
import { type Recipient, recipientsOf } from "../waitlist/recipients.ts";
import { findRegistration, keyOf, type Registration } from "../waitlist/registrations.ts";
import { EXIT, JSON_HELP, print, withDatabase } from "./terminal/command.ts";

/** Adds `waitlist find`: what is stored about one person. */
export function addFind(program: Command): void {
	program
		.command("find <email>")
		.description("show what is stored about a person, by any spelling of the address")
		.option("--json", JSON_HELP)
		.action(async (email: string, { json }) => {
			await withDatabase(async (operation) => {
				const found = await find(operation, email);
				print(json, found, () => foundAsText(found));
				if (!found.registration) process.exitCode = EXIT.notFound;
			});
		});
}

/** What is stored about a person. */
interface Found {
	registration: Registration | undefined;
	/** Earlier erasures of this address. */
	erasures: Omit<Erasure, "code">[];
	/** When they left, each time; absent where nobody knows of that. */
	leavings?: string[];
	/** What letters know of this person; absent where they know nothing. */
	recipient?: Recipient;
	letters?: StoredLetter[];
	/** Why erasures could not be looked up, where they could not. */
	erasuresUnknown?: string;
}

async function find({ database, places }: Operation, email: string): Promise<Found> {
	const key = await keyOf(database.query, email);
	const registration = await findRegistration(database.query, key);
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
	{ query, dialect }: Database,
	key: string,
): Promise<Pick<Found, "recipient" | "letters">> {
	const [recipient] = await recipientsOf(query, dialect, [key]);
	const letters = await lettersOf(query, dialect, [key]);
	return { ...(recipient ? { recipient } : {}), ...(letters.length > 0 ? { letters } : {}) };
}

function foundAsText(found: Found): string {
	const { registration, recipient, letters = [], erasures, leavings = [], erasuresUnknown } = found;
	return [
		...(registration ? Object.entries(registration).map(lineOf) : ["Not on the waitlist."]),
		...(recipient ? linesOf(recipient) : []),
		...letters.flatMap((letter) => ["", `letter (${titleOf(letter)}):`, ...linesOf(letter)]),
		...(letters.length > 0 ? [""] : []),
		...leavings.map((leftAt) => `Left on ${leftAt}.`),
		...erasures.map(({ erasedAt, reason }) => `Erased on ${erasedAt}: ${printableLine(reason)}.`),
		...(erasuresUnknown === undefined
			? []
			: [`Erasures could not be looked up. ${erasuresUnknown}`]),
	].join("\n");
}

const titleOf = ({ kind, wave }: StoredLetter) => (wave === "" ? kind : `${kind}, ${wave}`);

/** A line for each field that says something. The key stands in the registration. */
function linesOf(row: object): string[] {
	return Object.entries(row)
		.filter(([name, value]) => name !== "key" && value !== "")
		.map(lineOf);
}

/** An import brings in values of any text. */
const lineOf = ([name, value]: [string, unknown]) => `${name}: ${printableLine(String(value))}`;
