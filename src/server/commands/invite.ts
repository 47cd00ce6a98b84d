import { randomBytes } from "node:crypto";
import type { Command } from "commander";
import { readMessage } from "../waves/message.ts";
import { days, wholeNumberUpTo, withDatabase } from "./terminal/command.ts";
import { addWaveOptions, askForWave } from "./waves/ask-for-wave.ts";

/** Adds `waitlist invite`: a wave of letters with a code each. */
export function addInvite(program: Command): void {
	addWaveOptions(
		program
			.command("invite")
			.argument("<number>", "how many people the wave has in the end", wholeNumberUpTo(100_000_000))
			.summary("invite so many people, the first who joined or by chance")
			.description(
				"Invites people by a letter with a code, which your product redeems: those who joined first, " +
					"or by chance. Nobody is invited twice, and nobody who left, bounced or is marked. " +
					"The same command again adds what is missing.",
			),
	)
		.option("--random", "by chance, not by the time of joining")
		.option("--seed <text>", "makes the same choice by chance again")
		.option(
			"--expires <days>",
			"a code is good for so long after its letter was sent (default: 14d)",
			days,
		)
		.option(
			"--message <file>",
			"the email: `Subject: …`, an empty line, Markdown; {code}, {link} and {expires} are put in",
		)
		.action(async (size: number, options, command: Command) => {
			const { wave: name, random, seed, at, expires, message, ...chosen } = options;
			if (seed !== undefined && !random) command.error("error: --seed needs --random");
			const letter = message === undefined ? undefined : await readMessage(message, "invitation");
			await withDatabase((operation) =>
				askForWave(
					operation,
					{
						name,
						kind: "invitation",
						size,
						...(at === undefined ? {} : { startsAt: at }),
						...(expires === undefined ? {} : { validDays: expires }),
						...(letter === undefined ? {} : { message: letter }),
					},
					{
						chosen,
						uninvited: true,
						seed: random ? (seed ?? randomBytes(4).toString("hex")) : undefined,
						command,
					},
				),
			);
		});
}
