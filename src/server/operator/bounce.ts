import type { Command } from "commander";
import { readBounceReport } from "../letters/bounces/bounce-report.ts";
import { noteMailed } from "../letters/bounces/note-reports.ts";
import { createLinks } from "../letters/links/links.ts";
import { slowedAsText } from "../letters/pace/brake.ts";
import { openOrMakeProofs } from "../waitlist/proofs/open-proofs.ts";
import { JSON_HELP, mailOf, print, tell, withDatabase } from "./terminal/command.ts";

/** EX_TEMPFAIL of sysexits.h: the mail server keeps the message, and tries again later. */
const TRY_AGAIN = 75;

const SENTENCES = {
	bounce: "Noted: this address does not exist.",
	complaint: "Noted: this person called a letter spam, and has left.",
};

/** Adds `waitlist bounce`: reads what came back, from the mail server's pipe. */
export function addBounce(program: Command): void {
	program
		.command("bounce")
		.summary("read a letter that came back, from the mail server's pipe")
		.description(
			"Reads a message from standard input that came to WAITLIST_MAIL_BOUNCES. If it says that an " +
				"address does not exist, its person gets no further letter. If it is a complaint, its person " +
				"has left. Anything else is read and dropped. " +
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
					const noted = report && (await noteMailed(database, proofs, report, now));
					const kind = noted && noted.found > 0 ? report.kind : null;
					const refusesUs = report?.kind === "bounce" && report.subject === "sender";
					const slowed = noted?.speeds.find((change) => change.slowed > change.before);
					print(json, { noted: kind !== null, kind, slowed: slowed ?? null }, () =>
						[
							...(refusesUs
								? [`The receiver refuses us, whoever it is for (${report.status}).`]
								: []),
							kind === null ? "Nothing to note." : SENTENCES[kind],
							...(slowed ? [slowedAsText(slowed)] : []),
						].join("\n"),
					);
				});
			} catch (error) {
				tell((error as Error).message);
				process.exitCode = TRY_AGAIN;
			}
		});
}
