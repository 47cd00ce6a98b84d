import type { Command } from "commander";
import { changes, changeWave } from "../../waves/change-wave.ts";
import { JSON_HELP, number, print, withDatabase } from "../terminal/command.ts";

/** Adds `waitlist pause`: send nothing more of a wave until `resume`. */
export const addPause = adding("pause", {
	summary: "send nothing more of a wave until `resume`",
	description:
		"Sends nothing more of a wave until `waitlist resume`. What is being sent at this moment still goes out, and codes can be redeemed.",
});

/** Adds `waitlist resume`: let a paused wave go on. */
export const addResume = adding("resume", {
	summary: "let a paused wave go on",
	description: "Lets a paused wave go on.",
});

/** Adds `waitlist cancel`: end a wave: take back what was not sent, and its codes. */
export const addCancel = adding("cancel", {
	summary: "end a wave: take back what was not sent, and its codes",
	description:
		"Ends a wave for good: takes the letters back that were not sent, and makes all its codes worthless. Whoever had no letter can be invited by another wave.",
});

function adding(
	verb: keyof typeof changes,
	{ summary, description }: { summary: string; description: string },
) {
	return (program: Command): void => {
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
	};
}
