import type { Command } from "commander";
import type { Log } from "../log.ts";
import type { LetterState } from "../mail/emails/letter.ts";
import { countToSend } from "../mail/emails/letter-counts.ts";
import { openLetters } from "../mail/open-sender.ts";
import { readPause } from "../mail/rate/pauses.ts";
import { readThrottled } from "../mail/rate/throttle.ts";
import { openOrMakeProofs } from "../registrations/proofs/open-proofs.ts";
import { createCodes } from "../waves/code.ts";
import { EXIT, JSON_HELP, mailOf, print, withDatabase } from "./terminal/command.ts";
import { pauseAsText, slowedForOperator } from "./terminal/letters-as-text.ts";

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
				const { erasureKey } = await openOrMakeProofs(database, places);
				const { secret } = erasureKey;
				const sent: Sent = {};
				const problems: string[] = [];
				const log: Log = (level, event, { reason, code, letters } = {}) => {
					// Throttled streams are told at the end, because some were slowed before this run.
					if (level === "info" || event === "letters slowed") return;
					problems.push([event, reason, code, letters].filter(Boolean).join(", "));
				};
				const { sender } = await openLetters({
					mail,
					database,
					log,
					secret,
					codeOf: createCodes(secret).codeOf,
					once: true,
					onTried(_, outcome) {
						const { state } = outcome;
						const isOurs = state === "ours" || state === "closed";
						const kept = isOurs ? (outcome.atEmail ? "deferred" : "waiting") : state;
						sent[kept] = (sent[kept] ?? 0) + 1;
					},
				});
				process.once("SIGINT", () => void sender.close(GRACE_MS));
				process.once("SIGTERM", () => void sender.close(GRACE_MS));
				await sender.ended;
				const now = new Date();
				const due = await countToSend(database.query, now);
				const pause = await readPause(database.query, now);
				const slowed = await readThrottled(database.query, now);
				print(json, { sent, problems, due, pause, slowed }, () => {
					const waiting = `Still to be sent, as WAITLIST_MAIL_RATE allows: ${due}`;
					const rest = pause ? [pauseAsText(pause)] : due > 0 ? [waiting] : [];
					return sentAsText(sent, [...problems, ...rest, ...slowedForOperator(slowed)]);
				});
				if (problems.length > 0) process.exitCode = EXIT.problem;
			});
		});
}

/** How a try ends, in the order in which the operator reads it. */
const ENDS = [
	"accepted",
	"deferred",
	"refused",
	"unknown",
	"waiting",
] as const satisfies LetterState[];

/** How many tries ended how. */
type Sent = Partial<Record<(typeof ENDS)[number], number>>;

function sentAsText(sent: Sent, more: readonly string[]): string {
	const ends = ENDS.filter((end) => sent[end]).map((end) => `${sent[end]} ${end}`);
	if (ends.length === 0 && more.length === 0) return "Nothing is due.";
	return [...(ends.length > 0 ? [ends.join(", ")] : []), ...more].join("\n");
}
