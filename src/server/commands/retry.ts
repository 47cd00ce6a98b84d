import type { Command } from "commander";
import { countUnwanted } from "../mail/emails/letter-counts.ts";
import { retryLetters } from "../mail/emails/retry.ts";
import { changePeople } from "./terminal/change-people.ts";
import { JSON_HELP, withDatabase } from "./terminal/command.ts";

/** Adds `waitlist retry`: sends letters once more where only the operator can decide that. */
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
				await changePeople(database, { emails, json }, async (keys) => {
					const which = unknown ? {} : { keys, refused: true };
					const changed = await database.transact(retryLetters, { ...which, now });
					const stay = unknown ? await countUnwanted(database.query) : 0;
					const lines = [
						`letters sent again: ${changed.length}`,
						...(unknown && changed.length + stay === 0 ? ["No letter is unknown."] : []),
						...(stay > 0
							? [`not sent again, their people left, bounced or confirmed: ${stay}`]
							: []),
					];
					return { changed, result: { retried: changed.length }, lines };
				});
			});
		});
}
