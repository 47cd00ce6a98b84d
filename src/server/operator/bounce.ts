import type { Command } from "commander";
import { readBounceReport } from "../letters/bounce-report.ts";
import { createLinks } from "../letters/links.ts";
import { openProofs } from "./erasure/erasure.ts";
import { noteBounce } from "./note-bounce.ts";
import { JSON_HELP, mailOf, print, withDatabase } from "./operation.ts";

/** EX_TEMPFAIL of sysexits.h: the mail server keeps the message, and tries again later. */
const TRY_AGAIN = 75;

/** Adds `waitlist bounce`: reads what came back, from the mail server's pipe. */
export function addBounce(program: Command): void {
	program
		.command("bounce")
		.summary("read a letter that came back, from the mail server's pipe")
		.description(
			"Reads a message from standard input that came to WAITLIST_MAIL_BOUNCES. If it says that an " +
				"address does not exist, its person gets no further letter. Anything else is read and dropped. " +
				`Exits with ${TRY_AGAIN} where that could not be done now, for the mail server to try again.`,
		)
		.argument("[recipient]", "whom the message was sent to, if the mail server tells")
		.option("--json", JSON_HELP)
		.action(async (recipient: string | undefined, { json }) => {
			try {
				await withDatabase(async ({ database, settings, places, now }) => {
					const mail = mailOf(settings);
					const { key } = (await openProofs(database, places, { erasing: true }))!;
					const { readBounce } = createLinks(key.secret, mail);
					const report = await readBounceReport(process.stdin, readBounce, recipient);
					const { found, stopped } = report?.permanent
						? await noteBounce(database, { id: report.letter, code: `later ${report.status}`, now })
						: { found: false, stopped: false };
					print(json, { noted: found, stopped }, () =>
						[
							found ? "Noted: this address does not exist." : "Nothing to note.",
							...(stopped ? ["Too many came back: nothing is sent until `waitlist release`."] : []),
						].join("\n"),
					);
				});
			} catch (error) {
				console.error((error as Error).message);
				process.exitCode = TRY_AGAIN;
			}
		});
}
