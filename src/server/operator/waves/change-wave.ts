import type { Command } from "commander";
import { changes, changeWave } from "../../waves/change-wave.ts";
import { JSON_HELP, number, print, withDatabase } from "../terminal/command.ts";

/** Adds a command that changes a wave by its name. */
export function addChange(
	program: Command,
	verb: keyof typeof changes,
	{ summary, description }: { summary: string; description: string },
): void {
	program
		.command(`${verb} <wave>`)
		.summary(summary)
		.description(description)
		.option("--json", JSON_HELP)
		.action(async (name: string, { json }) => {
			await withDatabase(async (operation) => {
				const change = changes[verb];
				const letters = await changeWave(operation, name, change);
				const { state, done } = change;
				print(json, { wave: name, state, letters }, () =>
					[`${name} is ${state}.`, `letters ${done}: ${number(letters)}`].join("\n"),
				);
			});
		});
}
