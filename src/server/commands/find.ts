import type { Command } from "commander";
import { readConsent } from "../mail/emails/consent.ts";
import type { StoredEmail } from "../mail/emails/email.ts";
import { LEFT_BY } from "../mail/links/unsubscribe.ts";
import { type Found, findPerson } from "../mail/people/find-person.ts";
import { otherSpellings } from "../registrations/mailbox.ts";
import { keyOf } from "../registrations/registrations.ts";
import { printableLine } from "../text/printable.ts";
import { EXIT, JSON_HELP, print, withDatabase } from "./terminal/command.ts";
import { deletionsAsText } from "./terminal/deletions-as-text.ts";

/** Adds `waitlist find`: what is stored about one person. */
export function addFind(program: Command): void {
	program
		.command("find <email>")
		.description("show what is stored about a person, by any spelling of the address")
		.option("--json", `${JSON_HELP}, with the words that they agreed to`)
		.action(async (email: string, { json }) => {
			await withDatabase(async (operation) => {
				const key = keyOf(email);
				const found = await findPerson(operation, key);
				const sameMailbox = await otherSpellings(operation.database, key);
				const { registration, letters = [], leavings = [] } = found;
				const known = { letters, leavings };
				const consent =
					registration && (await readConsent(operation.database, registration, known));
				const all = {
					...found,
					...(sameMailbox.length > 0 && { sameMailbox }),
					...(consent && { consent }),
				};
				print(json, all, () => foundAsText(found, sameMailbox));
				if (!found.registration) process.exitCode = EXIT.notFound;
			});
		});
}

function foundAsText(found: Found, sameMailbox: readonly string[]): string {
	const { registration, letters = [], leavings = [] } = found;
	return [
		...(registration ? linesOf(registration) : ["Not on the waitlist."]),
		...letters.flatMap((letter) => ["", `letter (${titleOf(letter)}):`, ...linesOf(letter)]),
		...(letters.length > 0 ? [""] : []),
		...leavings.map(({ at, by }) => `Left on ${at}, ${LEFT_BY[by]}.`),
		...deletionsAsText(found),
		...sameMailbox.map(
			(other) => `On the waitlist, with the same mailbox: ${printableLine(other)}`,
		),
	].join("\n");
}

const titleOf = ({ kind, wave }: StoredEmail) => (wave === "" ? kind : `${kind}, ${wave}`);

/** A line for each field that says something. The key stands in the registration. */
function linesOf(row: object): string[] {
	return Object.entries(row)
		.filter(([name, value]) => name !== "key" && value !== "")
		.map(lineOf);
}

/** An import brings in values of any text. */
const lineOf = ([name, value]: [string, unknown]) => `${name}: ${printableLine(String(value))}`;
