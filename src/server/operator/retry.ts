import type { Command } from "commander";
import { countUnwanted, retryLetters } from "../letters/retry.ts";
import { findPeople } from "../waitlist/registrations.ts";
import { EXIT, JSON_HELP, notFoundAsText, print, withDatabase } from "./terminal/command.ts";
import { reasonsOf, unchangedAsText } from "./terminal/reasons.ts";

/** Adds `waitlist retry`: sends letters once more of which only the operator can decide. */
export function addRetry(program: Command): void {
	program
		.command("retry [emails...]")
		.summary("send letters again that may not have arrived")
		.description(
			"Sends letters to these people again that a mail server refused, or of which nobody knows " +
				"whether they arrived. Whoever has left, bounced or confirmed gets none.",
		)
		.option("--unknown", "all letters of which nobody knows: some people may get theirs twice")
		.option("--json", JSON_HELP)
		.action(async (emails: string[], { unknown = false, json }, command: Command) => {
			if (emails.length > 0 === unknown) {
				command.error("error: name addresses, or use --unknown, but not both");
			}
			await withDatabase(async ({ database, now }) => {
				const { keys, notFound } = await findPeople(database, emails);
				const changed = await retryLetters(database, unknown ? undefined : keys, now);
				const others = keys.filter((key) => !changed.includes(key));
				const unchanged = await reasonsOf(database, others);
				const stay = unknown ? await countUnwanted(database.query) : 0;
				print(json, { retried: changed.length, unchanged, notFound }, () =>
					[
						`letters sent again: ${changed.length}`,
						...(unknown && changed.length + stay === 0 ? ["No letter is unknown."] : []),
						...(stay > 0
							? [`not sent again, their people left, bounced or confirmed: ${stay}`]
							: []),
						...unchangedAsText(unchanged),
						...notFoundAsText(notFound),
					].join("\n"),
				);
				if (notFound.length > 0) process.exitCode = EXIT.notFound;
			});
		});
}
