import type { Command } from "commander";
import { readOutgoing, waitingAsText } from "../mail/outgoing.ts";
import { pauseAll, resumeAll } from "../mail/people/actions.ts";
import { type CountedWave, EMAIL_ENDS, endAsText, readCountedWaves } from "../mail/waves.ts";
import type { Operation } from "../registrations/operation.ts";
import { figure } from "../text/figure.ts";
import { shownTime } from "../time.ts";
import { changes, changeWave } from "../waves/change-wave.ts";
import { EXIT, print, table, withDatabase } from "./command.ts";

export function addWaves(program: Command): void {
	program
		.command("waves [name]")
		.description("what became of the emails and codes of each wave")
		.action((name: string | undefined, { json }) =>
			withDatabase(async ({ database, now }) => {
				const all = await readCountedWaves(database, now);
				const waves = name === undefined ? all : all.filter((wave) => wave.name === name);
				print(json, { waves }, () =>
					waves.length > 0
						? waves.map(waveAsText).join("\n\n")
						: name === undefined
							? "No waves. `waitlist invite --help` says how to send one."
							: `There is no wave ${name}.`,
				);
				if (name !== undefined && waves.length === 0) process.exitCode = EXIT.notFound;
			}),
		);
	program
		.command("pause [wave]")
		.description("stop a wave, or all email, until `waitlist resume`: codes still redeem")
		.action((wave: string | undefined, { json }) =>
			withDatabase(async (operation) => {
				if (wave !== undefined) return change(operation, "pause", wave, json);
				await pauseAll(operation);
				print(json, { paused: true }, () => "No email goes out until `waitlist resume`.");
			}),
		);
	program
		.command("resume [wave]")
		.description("let a wave go on, or all email: also what is slowed or deferred")
		.action((wave: string | undefined, { json }) =>
			withDatabase(async (operation) => {
				if (wave !== undefined) return change(operation, "resume", wave, json);
				const { database, settings, now } = operation;
				const ended = await resumeAll(operation);
				const outgoing = await readOutgoing(database, {
					rates: settings.mail,
					waves: await readCountedWaves(database, now),
					now,
				});
				print(json, { ended, waiting: outgoing.waiting.emails }, () => waitingAsText(outgoing));
			}),
		);
	program
		.command("cancel <wave>")
		.description("end a wave for good: take back what was not sent, and its codes")
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
	const { state, done } = changes[action];
	const emails = await changeWave(operation, name, action);
	print(json, { wave: name, state, emails }, () =>
		[
			`Emails of ${name} ${done}: ${figure(emails)}`,
			...(action === "pause" ? [`\`waitlist resume ${name}\` lets it go on.`] : []),
		].join("\n"),
	);
}

function waveAsText({ name, kind, state, size, startsAt, validDays, emails }: CountedWave) {
	const total = EMAIL_ENDS.reduce((sum, end) => sum + emails[end], 0);
	const of = size > 0 ? ` of ${figure(size)}` : "";
	const days = validDays > 0 ? `, codes good for ${validDays} days` : "";
	const ends = EMAIL_ENDS.filter((end) => emails[end] > 0);
	return [
		`${name}: ${kind}, ${state === "cancelled" ? "canceled" : state}, ${figure(total)}${of} emails, from ${shownTime(startsAt)}${days}`,
		...table(ends.map((end) => [endAsText(end), emails[end]] as const)),
		...(state === "paused" ? [`  \`waitlist resume ${name}\` lets it go on.`] : []),
	].join("\n");
}
