import type { Command } from "commander";
import { countHeld, countToSend } from "../mail/emails/email-counts.ts";
import { releaseHeld } from "../mail/emails/release.ts";
import { pauseEmails, releaseEmails, UNTIL_RELEASED } from "../mail/rate/pauses.ts";
import {
	type CountedWave,
	EMAIL_ENDS,
	endAsText,
	readCountedWaves,
} from "../mail/wave/wave-counts.ts";
import type { Operation } from "../registrations/operation.ts";
import { shownTime } from "../time.ts";
import { changes, changeWave } from "../waves/change-wave.ts";
import { EXIT, JSON_HELP, number, print, table, withDatabase } from "./command.ts";

/** Adds the commands about waves under way: waves, pause, resume and cancel. */
export function addWaves(program: Command): void {
	program
		.command("waves [name]")
		.description("what became of the emails and codes of each wave")
		.option("--json", JSON_HELP)
		.action((name: string | undefined, { json }) =>
			withDatabase(async ({ database, now }) => {
				const all = await readCountedWaves(database, now);
				const waves = name === undefined ? all : all.filter((wave) => wave.name === name);
				print(json, { waves }, () =>
					waves.length > 0
						? waves.map(waveAsText).join("\n\n")
						: "No waves. `waitlist invite --help` says how to send one.",
				);
				if (name !== undefined && waves.length === 0) process.exitCode = EXIT.notFound;
			}),
		);
	program
		.command("pause [wave]")
		.summary("stop a wave, or all email")
		.description(
			"Stops a wave until `waitlist resume`; without a name, all email. What is being sent at this moment " +
				"still goes out, and codes can be redeemed.",
		)
		.option("--json", JSON_HELP)
		.action((wave: string | undefined, { json }) =>
			withDatabase(async (operation) => {
				if (wave !== undefined) return change(operation, "pause", wave, json);
				const pause = { until: UNTIL_RELEASED, reason: "", cause: "operator" as const };
				const also = operation.note("emails paused");
				await operation.database.transact(pauseEmails, { ...pause, also });
				print(json, { paused: true }, () => "No email goes out until `waitlist resume`.");
			}),
		);
	program
		.command("resume [wave]")
		.summary("let a wave go on, or all email")
		.description(
			"Lets a paused wave go on; without a name, all email: ends a pause and a throttle, releases what is " +
				"held, and tries at once what was put off.",
		)
		.option("--json", JSON_HELP)
		.action((wave: string | undefined, { json }) =>
			withDatabase(async (operation) => {
				if (wave !== undefined) return change(operation, "resume", wave, json);
				const { database, now, note } = operation;
				const ended = await database.transact(releaseEmails, { now, also: note("emails resumed") });
				const { letGo } = await releaseHeld(operation, { held: true }, { dryRun: false });
				const { byWave } = await countHeld(database);
				const waiting = await countToSend(database);
				print(json, { ended, released: letGo, waiting, inPausedWaves: byWave }, () =>
					[
						`Emails released: ${number(letGo)}`,
						`Emails that wait, as the sending rate allows: ${number(waiting)}`,
						...(byWave > 0
							? [`In paused waves, until \`waitlist resume\` with their name: ${number(byWave)}`]
							: []),
					].join("\n"),
				);
			}),
		);
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
	action: keyof typeof changes,
	name: string,
	json: boolean | undefined,
): Promise<void> {
	const { state, done, noted } = changes[action];
	const letters = await changeWave(operation, name, changes[action], operation.note(noted, name));
	print(json, { wave: name, state, letters }, () =>
		[
			`Emails of ${name} ${done}: ${number(letters)}`,
			...(action === "pause" ? [`\`waitlist resume ${name}\` lets it go on.`] : []),
		].join("\n"),
	);
}

function waveAsText({ name, kind, state, size, startsAt, validDays, letters, held }: CountedWave) {
	const total = EMAIL_ENDS.reduce((sum, end) => sum + letters[end], 0);
	const of = size > 0 ? ` of ${number(size)}` : "";
	const days = validDays > 0 ? `, codes good for ${validDays} days` : "";
	const ends = EMAIL_ENDS.filter((end) => letters[end] > 0);
	return [
		`${name}: ${kind}, ${state === "cancelled" ? "canceled" : state}, ${number(total)}${of} emails, from ${shownTime(startsAt)}${days}`,
		...table(ends.map((end) => [endAsText(end), letters[end]] as const)),
		...(held > 0 ? [`  held until \`waitlist resume\`: ${number(held)}`] : []),
		...(state === "paused" ? [`  \`waitlist resume ${name}\` lets it go on.`] : []),
	].join("\n");
}
