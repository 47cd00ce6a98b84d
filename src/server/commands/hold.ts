import type { Command } from "commander";
import { holdLetters } from "../mail/emails/held.ts";
import { pauseEmails, UNTIL_RELEASED } from "../mail/rate/pauses.ts";
import { changePeople } from "./terminal/change-people.ts";
import { JSON_HELP, print, withDatabase } from "./terminal/command.ts";

/** Adds `waitlist hold`: nothing is sent, or nothing to some people. */
export function addHold(program: Command): void {
	program
		.command("hold [emails...]")
		.summary("send nothing until `release`, or nothing to these people")
		.description(
			"Sends nothing until `waitlist release`. With addresses, holds the letters to these people " +
				"that are still to be sent. What is being sent at this moment still goes out.",
		)
		.option("--json", JSON_HELP)
		.action(async (emails: string[], { json }) => {
			await withDatabase(async ({ database }) => {
				if (emails.length === 0) {
					const reason = "The operator said `waitlist hold`.";
					await database.transact(pauseEmails, {
						until: UNTIL_RELEASED,
						reason,
						cause: "operator",
					});
					print(json, { paused: true }, () => "Nothing is sent until `waitlist release`.");
					return;
				}
				await changePeople(database, { emails, json }, async (keys) => {
					const changed = await database.transact(holdLetters, { keys });
					const lines = [`letters held: ${changed.length}`];
					return { changed, result: { held: changed.length }, lines };
				});
			});
		});
}
