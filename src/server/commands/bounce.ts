import type { Command } from "commander";
import { readBounceReport } from "../mail/feedback/bounce-report.ts";
import { noteMailed } from "../mail/feedback/note-reports.ts";
import { createLinks } from "../mail/links/links.ts";
import { throttledAsText } from "../mail/rate/throttle.ts";
import { openOrMakeProofs } from "../registrations/proofs/open-proofs.ts";
import { JSON_HELP, mailOf, print, tell, withDatabase } from "./terminal/command.ts";

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
					const proofs = await openOrMakeProofs(database, places);
					const { readBounce } = createLinks(proofs.erasureKey.secret, mail);
					const report = await readBounceReport(process.stdin, readBounce, recipient);
					const noted = report && (await noteMailed(database, report, now));
					const isNoted = noted !== undefined && noted.found > 0;
					const slowed = noted?.speeds.find((change) => change.slowed > change.before);
					print(json, { noted: isNoted, slowed: slowed ?? null }, () =>
						[
							...(report?.subject === "sender"
								? [`The receiver refuses us, whoever it is for (${report.status}).`]
								: []),
							isNoted ? "Noted: this address does not exist." : "Nothing to note.",
							...(slowed ? [throttledAsText(slowed)] : []),
						].join("\n"),
					);
				});
			} catch (error) {
				tell((error as Error).message);
				process.exitCode = TRY_AGAIN;
			}
		});
}
