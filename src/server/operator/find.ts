import type { Command } from "commander";
import { FIELDS } from "../waitlist/schema.ts";
import type { Registration } from "../waitlist/waitlist.ts";
import { keyOf } from "./database/registrations.ts";
import { erasuresOf, hasErasures } from "./erasure/erasure.ts";
import type { Erasure } from "./erasure/erasure-file.ts";
import { findKey, keyDiffers, keyLost, readFingerprint } from "./erasure/erasure-key.ts";
import { EXIT, JSON_HELP, type Operation, print, withDatabase } from "./operation.ts";

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
	/** Why erasures could not be looked up, where they could not. */
	erasuresUnknown?: string;
}

async function find({ database, places }: Operation, email: string): Promise<Found> {
	const key = await keyOf(database.query, email);
	const [registration] = await database.query<Registration>(
		`SELECT ${FIELDS} FROM registration WHERE email_key = $1`,
		[key],
	);
	if (!(await hasErasures(database.query))) return { registration, erasures: [] };
	try {
		const erasureKey = await findKey(places);
		if (!erasureKey) throw keyLost(places);
		const stored = await readFingerprint(database.query);
		if (stored !== undefined && stored !== erasureKey.fingerprint) throw keyDiffers(database.place);
		const erasures = await erasuresOf(database.query, erasureKey.codeOf(key));
		return { registration, erasures };
	} catch (error) {
		return { registration, erasures: [], erasuresUnknown: (error as Error).message };
	}
}

function foundAsText({ registration, erasures, erasuresUnknown }: Found): string {
	return [
		...(registration
			? Object.entries(registration).map(([name, value]) => `${name}: ${value}`)
			: ["Not on the waitlist."]),
		...erasures.map(({ erasedAt, reason }) => `Erased on ${erasedAt}: ${reason}.`),
		...(erasuresUnknown === undefined
			? []
			: [`Erasures could not be looked up. ${erasuresUnknown}`]),
	].join("\n");
}
