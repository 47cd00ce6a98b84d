import { type Command, Option } from "commander";
import { refuseInGap } from "../mail/emails/gaps.ts";
import { releaseHeld } from "../mail/emails/release.ts";
import { BURST } from "../registrations/flags.ts";
import { changePeople, named } from "./terminal/change-people.ts";
import {
	DESPITE_GAP_HELP,
	JSON_HELP,
	number,
	sourceLabel,
	time,
	withDatabase,
} from "./terminal/command.ts";

/** Adds `waitlist confirm`: asks people to confirm who were never asked. */
export function addConfirm(program: Command): void {
	program
		.command("confirm [emails...]")
		.summary("send the confirmation email to people who never got one")
		.description(
			"Sends the confirmation email to people who never got one: who joined before mail was set up, " +
				"were imported, or are flagged. Flagged people need their address or --flag, and lose the flag.",
		)
		.addOption(new Option("--flag <flag>", "people of a burst").choices([BURST]))
		.option("--source <label>", "people from this source", sourceLabel)
		.option("--since <time>", "people who joined then or later, as in 2026-11-21", time)
		.option("--until <time>", "people who joined before then", time)
		.option("--despite-gap", DESPITE_GAP_HELP)
		.option("--dry-run", "only say how many")
		.option("--json", JSON_HELP)
		.action(async (emails: string[], options, command: Command) => {
			const { json, dryRun = false, despiteGap = false, flag, ...chosen } = options;
			const isChoosing = Object.keys(chosen).length > 0 || flag !== undefined;
			if (isChoosing === emails.length > 0) {
				command.error("error: name addresses, or choose by options, but not both");
			}
			await withDatabase(async (operation) => {
				await changePeople(operation.database, { emails, json }, async (keys) => {
					if (isChoosing && !dryRun && !despiteGap) {
						await refuseInGap(operation.database, { since: chosen.since });
					}
					const people = isChoosing ? { ...chosen, ...(flag && { burst: true }) } : { keys };
					const noted = operation.note(
						"confirmation sent",
						isChoosing ? "by options" : named(keys),
					);
					const also = { released: noted, unmarked: noted };
					const { changed, letGo, asked } = await releaseHeld(operation, people, {
						dryRun,
						also,
					});
					const sent = letGo + asked;
					return {
						changed,
						result: { confirmations: sent },
						lines: [
							`Confirmation emails${dryRun ? " that would go out" : ""}: ${number(sent)}`,
							...(sent > 0 && !dryRun
								? ["They go out as the sending rate allows: see `waitlist emails`."]
								: []),
							...(isChoosing && sent === 0 ? [NOBODY] : []),
						],
					};
				});
			});
		});
}

/** Why a choice by options found nobody. */
const NOBODY =
	"Everyone who fits has had one, or has confirmed, unsubscribed or bounced. `waitlist resend` with an " +
	"address sends another.";
