import type { Command } from "commander";
import {
	type Overview,
	readOverview,
	type TroubledEmail,
	type UnknownEmail,
	unknownEmails,
} from "../mail/emails/overview.ts";
import { rampAsText } from "../mail/rate/warm-up.ts";
import { isAppleRelay } from "../mail/smtp/smtp-outcome.ts";
import { endAsText } from "../mail/wave/wave-counts.ts";
import { shownTime } from "../time.ts";
import { JSON_HELP, number, print, withDatabase } from "./terminal/command.ts";
import { backlogAsText, pauseAsText, slowedAsText } from "./terminal/emails-as-text.ts";

/** Adds `waitlist emails`: how many there are, and what stops them. */
export function addEmails(program: Command): void {
	program
		.command("emails")
		.description("how many emails wait or went out, and what stops them")
		.option("--unknown", "list the emails that may not have arrived")
		.option("--json", JSON_HELP)
		.action(async ({ unknown = false, json }) => {
			await withDatabase(async ({ database, settings, now }) => {
				if (unknown) {
					const letters = await unknownEmails(database);
					print(json, { letters }, () => unknownAsText(letters));
					return;
				}
				const letters = await readOverview(database, settings.mail, now);
				print(json, letters, () => emailsAsText(letters));
			});
		});
}

function emailsAsText(all: Overview): string {
	const { letters, held, waiting, troubled, pause, slowed, ramp } = all;
	return [
		...(letters.length === 0 ? ["No emails."] : []),
		...letters.map(({ kind, state, count }) => `${kind}, ${endAsText(state)}: ${number(count)}`),
		...(held > 0 ? [`held until \`waitlist resume\`: ${number(held)}`] : []),
		...backlogAsText(waiting),
		...troubled.map(troubledAsText),
		...(troubled.some(({ email }) => isAppleRelay(email)) ? [REGISTER_WITH_APPLE] : []),
		...(pause ? [pauseAsText(pause)] : []),
		...slowedAsText(slowed),
		...(ramp ? [rampAsText(ramp)] : []),
		...(letters.some(({ state }) => state === "unknown") ? [UNKNOWN] : []),
	].join("\n");
}

const REGISTER_WITH_APPLE =
	"privaterelay.appleid.com accepts only senders that are registered with Apple: add yours at " +
	"developer.apple.com (Sign in with Apple for Email Communication), then `waitlist resend` these addresses.";

const UNKNOWN =
	"Unknown ones may have arrived: `waitlist emails --unknown` lists them, `waitlist resend` sends one again.";

function troubledAsText({ email, kind, state, code, attempts, time }: TroubledEmail): string {
	const next = `${state === "deferred" ? "next attempt" : "given up"} on ${shownTime(time)}`;
	return `${kind} to ${email}: ${code}, ${attempts} ${attempts === 1 ? "attempt" : "attempts"}, ${next}`;
}

function unknownAsText(letters: readonly UnknownEmail[]): string {
	if (letters.length === 0) return "None.";
	return letters.map(({ email, kind, time }) => `${shownTime(time)}  ${kind}  ${email}`).join("\n");
}
