import type { Command } from "commander";
import type { LetterState } from "../letters/letter.ts";
import { openLetters } from "../letters/open-letters.ts";
import type { Log } from "../log.ts";
import { openLedger } from "../waitlist/open-waitlist.ts";
import { openProofs } from "./erasure/erasure.ts";
import { EXIT, JSON_HELP, mailOf, print, withDatabase } from "./operation.ts";

/** How long letters under way may take after an interrupt. */
const GRACE_MS = 10_000;

/** Adds `waitlist send`: sends what is due, for a timer. */
export function addSend(program: Command): void {
	program
		.command("send")
		.summary("send the letters that are due, and end")
		.description(
			"Sends the letters that are due, as fast as WAITLIST_MAIL_RATE allows, and ends when there is " +
				"nothing to send now. The server does the same by itself; both may run.",
		)
		.option("--json", JSON_HELP)
		.action(async ({ json }) => {
			await withDatabase(async ({ database, settings, places }) => {
				const mail = mailOf(settings);
				const { key } = (await openProofs(database, places, { erasing: true }))!;
				const { run, close } = await openLedger(settings.database, 1);
				const sent: Sent = {};
				const problems: string[] = [];
				const log: Log = (level, event, { reason, code, letters } = {}) => {
					if (level === "info") return;
					problems.push([event, reason, code, letters].filter(Boolean).join(", "));
				};
				const { sender } = await openLetters({
					...{ mail, run, log, secret: key.secret, dialect: database.dialect },
					once: true,
					onTried(_, { state }) {
						const kept = state === "ours" || state === "closed" ? "waiting" : state;
						sent[kept] = (sent[kept] ?? 0) + 1;
					},
				});
				process.once("SIGINT", () => void sender.close(GRACE_MS));
				process.once("SIGTERM", () => void sender.close(GRACE_MS));
				await sender.ended.finally(close);
				print(json, { sent, problems }, () => sentAsText(sent, problems));
				if (problems.length > 0) process.exitCode = EXIT.problem;
			});
		});
}

/** How many tries ended how. */
type Sent = Partial<Record<Exclude<LetterState, "sending">, number>>;

function sentAsText(sent: Sent, problems: readonly string[]): string {
	const ends = Object.entries(sent).map(([state, count]) => `${count} ${state}`);
	return [ends.length > 0 ? ends.join(", ") : "Nothing is due.", ...problems].join("\n");
}
