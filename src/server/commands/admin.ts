import type { Command } from "commander";
import { adminOrigins } from "../admin/guard.ts";
import { LINK_MINUTES, makeLink, signOutEveryone } from "../admin/sessions.ts";
import { SIGN_IN_PATH } from "../admin/sign-in.ts";
import { COMMAND } from "../registrations/audit.ts";
import { openKey } from "../registrations/suppression/open-suppression-list.ts";
import { JSON_HELP, print, withDatabase } from "./command.ts";

/** Adds `waitlist admin`: a link that signs in to the admin pages. */
export function addAdmin(program: Command): void {
	program
		.command("admin")
		.summary("print a link that signs in to the admin pages, once")
		.description(
			"Prints a link that signs one browser in to the admin pages, once and within five minutes.",
		)
		.option("--sign-out", "sign everyone out instead, and end all links")
		.option("--json", JSON_HELP)
		.action(async ({ signOut, json }) => {
			await withDatabase(async ({ database, settings, places, now }) => {
				if (signOut) {
					await signOutEveryone(database, COMMAND, now);
					print(json, { signedOut: true }, () => "Everyone is signed out.");
					return;
				}
				if (!settings.admin) {
					throw new Error(
						"There are no admin pages here: set WAITLIST_ADMIN_PORT, and restart the server.",
					);
				}
				const { secret } = await openKey(database, places);
				const [origin] = adminOrigins(settings.admin);
				const link = origin + SIGN_IN_PATH + (await makeLink(database, secret, now));
				print(json, { link, minutes: LINK_MINUTES }, () =>
					[link, `It signs in one browser, once, within ${LINK_MINUTES} minutes.`].join("\n"),
				);
			});
		});
}
