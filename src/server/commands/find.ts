import type { Command } from "commander";
import { deletionsAsText, personAsText, readPerson } from "../mail/people/record.ts";
import { keyOf } from "../registrations/registrations.ts";
import { printableLine } from "../text/printable.ts";
import { EXIT, print, withDatabase } from "./command.ts";

export function addFind(program: Command): void {
	program
		.command("find <email>")
		.description("show what is stored about a person, by any spelling of the address")
		.action((email: string, { json }) =>
			withDatabase(async (operation) => {
				const person = await readPerson(operation, keyOf(email));
				const { registration, sameMailbox } = person;
				print(json, person, () =>
					[
						registration ? personAsText(person).trimEnd() : "Not on the waitlist.",
						...deletionsAsText(person),
						...sameMailbox.map((key) => `With the same mailbox: ${printableLine(key)}`),
					].join("\n"),
				);
				if (!registration) process.exitCode = EXIT.notFound;
			}),
		);
}
