import type { Command } from "commander";
import {
	type Overview,
	readOverview,
	type TroubledEmail,
	unknownEmails,
} from "../mail/emails/overview.ts";
import { readOutgoing, stoppedAsText, waitingAsText } from "../mail/outgoing.ts";
import { rampAsText } from "../mail/rate/sending-rate.ts";
import { endAsText, readCountedWaves } from "../mail/waves.ts";
import { figure } from "../text/figure.ts";
import { shownTime } from "../time.ts";
import { print, withDatabase } from "./command.ts";

export function addEmails(program: Command): void {
	program
		.command("emails")
		.description("how many emails wait or went out, and what stops them")
		.option("--unknown", "list the emails that may not have arrived")
		.action(({ unknown = false, json }) =>
			withDatabase(async ({ database, settings: { mail }, now }) => {
				if (unknown) {
					const emails = await unknownEmails(database);
					print(json, { emails }, () =>
						emails.length === 0
							? "None."
							: emails
									.map(({ email, kind, time }) => `${shownTime(time)}  ${kind}  ${email}`)
									.join("\n"),
					);
					return;
				}
				const all = await readOverview(database, mail);
				const outgoing = await readOutgoing(database, {
					rates: mail,
					waves: await readCountedWaves(database, now),
					now,
				});
				print(json, { ...all, ...outgoing }, () =>
					[waitingAsText(outgoing), ...stoppedAsText(outgoing), ...linesOf(all)].join("\n"),
				);
			}),
		);
}

function linesOf({ emails, troubled, ramp }: Overview): string[] {
	return [
		...emails.map(({ kind, state, count }) => `${kind}, ${endAsText(state)}: ${figure(count)}`),
		...troubled.map(troubledAsText),
		...(ramp ? [rampAsText(ramp)] : []),
		...(emails.some(({ state }) => state === "unknown") ? [UNKNOWN] : []),
	];
}

const UNKNOWN =
	"Unknown ones may have arrived: `waitlist emails --unknown` lists them, `waitlist resend` sends one again.";

function troubledAsText({ email, kind, state, code, attempts, time }: TroubledEmail): string {
	const next = `${state === "deferred" ? "next attempt" : "given up"} on ${shownTime(time)}`;
	return `${kind} to ${email}: ${code}, ${attempts} ${attempts === 1 ? "attempt" : "attempts"}, ${next}`;
}
