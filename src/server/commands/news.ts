import type { Command } from "commander";
import { readMessage } from "../waves/message.ts";
import { addWaveOptions, sendWave } from "./terminal/send-wave.ts";

/** Adds `waitlist news`: a wave of emails without a code. */
export function addNews(program: Command): void {
	const command = program
		.command("news")
		.summary("email news to everybody who has confirmed, or to some")
		.description(
			"Sends the same email to everybody who has confirmed, or to those whom options select. Nobody gets " +
				"it twice. The same command again adds those who have confirmed since.",
		)
		.requiredOption("--message <file>", "a line `Subject: …`, an empty line, and Markdown");
	addWaveOptions(command)
		.option("--uninvited", "only people whom no wave has invited")
		.action(async ({ message: file, uninvited = false, ...chosen }, command: Command) => {
			const message = await readMessage(file, "news");
			const wave = { kind: "news" as const, size: 0, message };
			await sendWave(wave, { chosen, uninvited, random: false, command });
		});
}
