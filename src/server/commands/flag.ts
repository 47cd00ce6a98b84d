import type { Command } from "commander";
import { holdAsking } from "../mail/emails/held.ts";
import { flagPeople } from "../registrations/marks.ts";
import { findPeople } from "../registrations/registrations.ts";
import { EXIT, JSON_HELP, notFoundAsText, print, withDatabase } from "./terminal/command.ts";
import { type Unchanged, unchangedAsText } from "./terminal/reasons.ts";

/** Adds `waitlist flag`: people to whom no wave writes. */
export function addFlag(program: Command): void {
	program
		.command("flag <emails...>")
		.summary("mark people, so that no wave writes to them")
		.description(
			"Marks people by hand as the honeypot marks programs, so that no wave writes to them, and holds the " +
				"letter that asks them to confirm. With --remove takes their mark back, whoever gave it: the " +
				"honeypot, a burst or you. Nothing is sent by this.",
		)
		.option("--remove", "take the mark back")
		.option("--json", JSON_HELP)
		.action(async (emails: string[], { remove = false, json }) => {
			await withDatabase(async ({ database }) => {
				const { keys, notFound } = await findPeople(database, emails);
				const also = remove ? [] : [holdAsking(database.dialect, keys)];
				const changed = await database.transact(flagPeople, { keys, remove, also });
				const reason = remove ? "they have no mark." : "they have a mark already.";
				const unchanged: Unchanged[] = keys
					.filter((key) => !changed.includes(key))
					.map((email) => ({ email, reason }));
				const counted = { [remove ? "unflagged" : "flagged"]: changed.length };
				print(json, { ...counted, unchanged, notFound }, () =>
					[
						`${remove ? "marks taken back" : "people flagged"}: ${changed.length}`,
						...unchangedAsText(unchanged),
						...notFoundAsText(notFound),
					].join("\n"),
				);
				if (notFound.length > 0) process.exitCode = EXIT.notFound;
			});
		});
}
