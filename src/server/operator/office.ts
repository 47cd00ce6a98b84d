import type { Command } from "commander";
import { openOfficeKeys } from "../office/keys.ts";
import { officeOrigin } from "../office/origin.ts";
import { endAllSessions, LINK_MINUTES, makeLink } from "../office/sessions.ts";
import { signInPath } from "../office/sign-in.ts";
import { COMMAND } from "../waitlist/audit.ts";
import { JSON_HELP, print, withDatabase } from "./terminal/command.ts";

/** Adds `waitlist office`: a link that signs in at the founder's page. */
export function addOffice(program: Command): void {
	program
		.command("office")
		.summary("print a link that signs in at the office, once")
		.description(
			"Prints a link that signs one browser in at the office, once and within five minutes. " +
				"With --sign-out, ends all sessions and links instead.",
		)
		.option("--sign-out", "end all sessions, and all links that were not used")
		.option("--json", JSON_HELP)
		.action(async ({ signOut, json }) => {
			await withDatabase(async ({ database, settings, now }) => {
				if (signOut) {
					const ended = await endAllSessions(database, { by: COMMAND, now });
					print(json, { ended }, () => `sessions ended: ${ended}`);
					return;
				}
				if (!settings.office) {
					throw new Error(
						"There is no office here: set WAITLIST_OFFICE_PORT, and start the server anew.",
					);
				}
				const keys = await openOfficeKeys(settings, database.query);
				const link =
					officeOrigin(settings.office) + signInPath(await makeLink(database, keys, now));
				print(json, { link, minutes: LINK_MINUTES }, () =>
					[link, `It signs in one browser, once, within ${LINK_MINUTES} minutes.`].join("\n"),
				);
			});
		});
}
