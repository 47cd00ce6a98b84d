import type { Command } from "commander";
import { holdLetters } from "../letters/held.ts";
import { pauseLetters, UNTIL_RELEASED } from "../letters/sending/outbox.ts";
import { findPeople } from "../waitlist/registrations.ts";
import { EXIT, JSON_HELP, notFoundAsText, print, withDatabase } from "./terminal/command.ts";
import { reasonsOf, unchangedAsText } from "./terminal/reasons.ts";

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
					await pauseLetters(database, { until: UNTIL_RELEASED, reason, cause: "operator" });
					print(json, { paused: true }, () => "Nothing is sent until `waitlist release`.");
					return;
				}
				const { keys, notFound } = await findPeople(database, emails);
				const changed = await holdLetters(database, keys);
				const others = keys.filter((key) => !changed.includes(key));
				const unchanged = await reasonsOf(database, others);
				print(json, { held: changed.length, unchanged, notFound }, () =>
					[
						`letters held: ${changed.length}`,
						...unchangedAsText(unchanged),
						...notFoundAsText(notFound),
					].join("\n"),
				);
				if (notFound.length > 0) process.exitCode = EXIT.notFound;
			});
		});
}
