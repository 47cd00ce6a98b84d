import type { Command } from "commander";
import { readMessage } from "../waves/message.ts";
import { withDatabase } from "./terminal/command.ts";
import { addWaveOptions, askForWave } from "./waves/ask-for-wave.ts";

/** Adds `waitlist write`: a wave of letters without a code. */
export function addWrite(program: Command): void {
	addWaveOptions(
		program
			.command("write")
			.summary("write news to everybody who has confirmed, or to some")
			.description(
				"Writes the same letter to everybody who has confirmed their address, or to those whom " +
					"options select. Nobody gets it twice, and nobody who left, bounced or is marked. " +
					"The same command again adds those who have confirmed meanwhile.",
			),
	)
		.option("--uninvited", "only those whom no wave has invited")
		.requiredOption("--message <file>", "the email: `Subject: …`, an empty line, Markdown")
		.action(async ({ wave: name, at, message, uninvited = false, ...chosen }, command: Command) => {
			const letter = await readMessage(message, "news");
			await withDatabase((operation) =>
				askForWave(
					operation,
					{
						name,
						kind: "news",
						size: 0,
						message: letter,
						...(at === undefined ? {} : { startsAt: at }),
					},
					{ chosen, uninvited, seed: undefined, command },
				),
			);
		});
}
