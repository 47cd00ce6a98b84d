import type { Command } from "commander";
import { countHeld, countToSend } from "../mail/emails/email-counts.ts";
import { releaseHeld } from "../mail/emails/release.ts";
import { pauseEmails, releaseEmails, UNTIL_RELEASED } from "../mail/rate/pauses.ts";
import type { Operation } from "../registrations/operation.ts";
import { changes, changeWave } from "../waves/change-wave.ts";
import { JSON_HELP, number, print, withDatabase } from "./terminal/command.ts";
import { stateAsText } from "./terminal/emails-as-text.ts";

/** Adds `waitlist pause`: stops a wave, or all email. */
export function addPause(program: Command): void {
	program
		.command("pause [wave]")
		.summary("stop a wave, or all email")
		.description(
			"Stops a wave until `waitlist resume`; without a name, all email. What is being sent at this moment " +
				"still goes out, and codes can be redeemed.",
		)
		.option("--json", JSON_HELP)
		.action(async (wave: string | undefined, { json }) => {
			await withDatabase(async (operation) => {
				if (wave !== undefined) return change(operation, "pause", wave, json);
				const reason = "You paused it.";
				const pause = { until: UNTIL_RELEASED, reason, cause: "operator" as const };
				const also = operation.note("emails paused");
				await operation.database.transact(pauseEmails, { ...pause, also });
				print(json, { paused: true }, () => "No email goes out until `waitlist resume`.");
			});
		});
}

/** Adds `waitlist resume`: lets a wave go on, or all email. */
export function addResume(program: Command): void {
	program
		.command("resume [wave]")
		.summary("let a wave go on, or all email")
		.description(
			"Lets a paused wave go on; without a name, all email: ends a pause and a throttle, releases what is " +
				"held, and tries at once what was put off.",
		)
		.option("--json", JSON_HELP)
		.action(async (wave: string | undefined, { json }) => {
			await withDatabase(async (operation) => {
				if (wave !== undefined) return change(operation, "resume", wave, json);
				const { database, now, note } = operation;
				const ended = await database.transact(releaseEmails, { now, also: note("emails resumed") });
				const { letGo } = await releaseHeld(operation, { held: true }, { dryRun: false });
				const { byWave } = await countHeld(database);
				const waiting = await countToSend(database);
				print(json, { ended, released: letGo, waiting, inPausedWaves: byWave }, () =>
					[
						...(ended ? ["Email goes out again."] : []),
						...(letGo > 0 ? [`Emails released: ${number(letGo)}`] : []),
						`Emails that wait, as the sending rate allows: ${number(waiting)}`,
						...(byWave > 0
							? [`In paused waves, until \`waitlist resume\` with their name: ${number(byWave)}`]
							: []),
					].join("\n"),
				);
			});
		});
}

/** Adds `waitlist cancel`: ends a wave. */
export function addCancel(program: Command): void {
	program
		.command("cancel <wave>")
		.summary("end a wave: take back what was not sent, and its codes")
		.description(
			"Ends a wave for good: takes back the emails that were not sent, and makes all its codes worthless. " +
				"People who got no email can be invited by another wave.",
		)
		.option("--json", JSON_HELP)
		.action((wave: string, { json }) =>
			withDatabase((operation) => change(operation, "cancel", wave, json)),
		);
}

async function change(
	operation: Operation,
	verb: keyof typeof changes,
	name: string,
	json: boolean | undefined,
): Promise<void> {
	const { state, done, noted } = changes[verb];
	const letters = await changeWave(operation, name, changes[verb], operation.note(noted, name));
	print(json, { wave: name, state, letters }, () =>
		[
			`${name} is ${stateAsText(state)}.`,
			`Emails ${done}: ${number(letters)}`,
			...(verb === "pause" ? [`\`waitlist resume ${name}\` lets it go on.`] : []),
		].join("\n"),
	);
}
