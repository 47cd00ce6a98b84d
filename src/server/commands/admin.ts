import type { Command } from "commander";
import { adminOrigins } from "../admin/guard.ts";
import { createSessions, SIGN_IN_LINK_MINUTES, SIGN_IN_PATH } from "../admin/sessions.ts";
import { COMMAND_SESSION } from "../registrations/audit.ts";
import { findOrCreateKey } from "../registrations/suppression/suppression-list.ts";
import { databaseAction } from "./command.ts";

export function addAdminCommand(program: Command): void {
	program
		.command("admin")
		.description("print a link that signs one browser in to the admin pages, within five minutes")
		.option("--sign-out", "sign everyone out instead, and invalidate all links")
		.action(
			databaseAction(async ({ database, settings: { admin }, places, now }, { signOut }) => {
				if (!admin) {
					throw new Error(
						"The admin pages are off: set WAITLIST_ADMIN_PORT, and restart the server.",
					);
				}
				const sessions = createSessions(database, (await findOrCreateKey(database, places)).secret);
				if (signOut) {
					await sessions.signOutEveryone(COMMAND_SESSION, now);
					return { json: { signedOut: true }, text: ["Everyone is signed out."] };
				}
				const link = adminOrigins(admin)[0] + SIGN_IN_PATH + (await sessions.makeLink(now));
				return {
					json: { link, minutes: SIGN_IN_LINK_MINUTES },
					text: [link, `It signs in one browser, once, within ${SIGN_IN_LINK_MINUTES} minutes.`],
				};
			}),
		);
}
