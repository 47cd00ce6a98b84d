import type { Command } from "commander";
import { FIELDS } from "../waitlist/schema.ts";
import type { Registration } from "../waitlist/waitlist.ts";
import { keyOf } from "./database/registrations.ts";
import { type Erasure, readErasures } from "./erasure.ts";
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
}

async function find({ database, codes }: Operation, email: string): Promise<Found> {
	const key = keyOf(email);
	const [registration] = await database.query<Registration>(
		`SELECT ${FIELDS} FROM registration WHERE email_key = $1`,
		[key],
	);
	const all = await readErasures(database.query);
	const code = all.length > 0 ? codes()(key) : undefined;
	const erasures = all
		.filter((erasure) => erasure.code === code)
		.map(({ erasedAt, reason }) => ({ erasedAt, reason }));
	return { registration, erasures };
}

function foundAsText({ registration, erasures }: Found): string {
	return [
		...(registration
			? Object.entries(registration).map(([name, value]) => `${name}: ${value}`)
			: ["Not on the waitlist."]),
		...erasures.map(({ erasedAt, reason }) => `Erased on ${erasedAt}: ${reason}.`),
	].join("\n");
}
