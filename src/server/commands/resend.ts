import type { Command } from "commander";
import { resendEmails, retryEmails } from "../mail/emails/resend.ts";
import { changePeople, named } from "./terminal/change-people.ts";
import { JSON_HELP, withDatabase } from "./terminal/command.ts";

/** Adds `waitlist resend`: the last email once more. */
export function addResend(program: Command): void {
	program
		.command("resend [emails...]")
		.summary("send people their email again")
		.description(
			"Sends again what a mail server refused or what may not have arrived, and the confirmation email to " +
				"people who have not confirmed: three in all, 15 minutes apart.",
		)
		.option("--unknown", "all emails that may not have arrived: some people may get theirs twice")
		.option("--json", JSON_HELP)
		.action(async (emails: string[], { unknown = false, json }, command: Command) => {
			if (emails.length > 0 === unknown) {
				command.error("error: name addresses, or use --unknown, but not both");
			}
			await withDatabase(async ({ database, now, note }) => {
				await changePeople(database, { emails, json }, async (keys) => {
					const also = note(unknown ? "unknown emails sent again" : "email resent", named(keys));
					const changed = unknown
						? await database.transact(retryEmails, { now, also })
						: await resendEmails(database, keys, { now, also });
					const lines = [`Emails sent again, as the sending rate allows: ${changed.length}`];
					return { changed, result: { resent: changed.length }, lines };
				});
			});
		});
}
