import type { Command } from "commander";
import { readMessage } from "../waves/message.ts";
import { days, wholeNumberUpTo } from "./terminal/command.ts";
import { addWaveOptions, sendWave } from "./terminal/send-wave.ts";

/** Adds `waitlist invite`: a wave of emails with a code each. */
export function addInvite(program: Command): void {
	const command = program
		.command("invite")
		.argument("<number>", "", wholeNumberUpTo(100_000_000))
		.summary("invite so many people by an email with a code each")
		.description(
			"Invites people until the wave has so many: those who joined first and confirmed. Each gets a code, " +
				"which your product redeems. Nobody is invited twice. The same command again adds what is missing.",
		);
	addWaveOptions(command)
		.option("--random", "by chance; the name of the wave decides")
		.option("--expires <days>", "how long a code is good once sent (default: 14d)", days)
		.option("--message <file>", "your words; {code}, {link} and {expires} are filled in")
		.action(async (size: number, { random, expires, message, ...chosen }, command: Command) => {
			const wave = {
				kind: "invitation" as const,
				size,
				...(expires === undefined ? {} : { validDays: expires }),
				...(message === undefined ? {} : { message: await readMessage(message, "invitation") }),
			};
			await sendWave(wave, { chosen, uninvited: true, random: random ?? false, command });
		});
}
