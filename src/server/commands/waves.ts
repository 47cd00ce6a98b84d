import type { Command } from "commander";
import {
	type CountedWave,
	EMAIL_ENDS,
	endAsText,
	readCountedWaves,
} from "../mail/wave/wave-counts.ts";
import { shownTime } from "../time.ts";
import { chart } from "./terminal/chart.ts";
import { EXIT, JSON_HELP, number, print, withDatabase } from "./terminal/command.ts";
import { stateAsText } from "./terminal/emails-as-text.ts";

/** Adds `waitlist waves`: what became of each wave. */
export function addWaves(program: Command): void {
	program
		.command("waves [name]")
		.description("what became of the emails and codes of each wave")
		.option("--json", JSON_HELP)
		.action(async (name: string | undefined, { json }) => {
			await withDatabase(async ({ database, now }) => {
				const all = await readCountedWaves(database, now);
				const waves = name === undefined ? all : all.filter((wave) => wave.name === name);
				print(json, { waves }, () => wavesAsText(waves, name));
				if (name !== undefined && waves.length === 0) process.exitCode = EXIT.notFound;
			});
		});
}

function wavesAsText(waves: readonly CountedWave[], name: string | undefined): string {
	if (waves.length > 0) return waves.map(waveAsText).join("\n\n");
	return name === undefined
		? "No waves. `waitlist invite --help` says how to send one."
		: `There is no wave ${name}.`;
}

function waveAsText({ name, kind, state, size, startsAt, validDays, letters, held }: CountedWave) {
	const total = EMAIL_ENDS.reduce((sum, end) => sum + letters[end], 0);
	const of = size > 0 ? ` of ${number(size)}` : "";
	const days = validDays > 0 ? `, codes good for ${validDays} days` : "";
	const ends = EMAIL_ENDS.filter((end) => letters[end] > 0);
	const arrived = letters.accepted + letters.redeemed + letters.expired;
	return [
		`${name}: ${kind}, ${stateAsText(state)}, ${number(total)}${of} emails, from ${shownTime(startsAt)}${days}`,
		...chart(
			ends.map((end) => {
				const count = letters[end];
				const share = `${number(count)} of ${number(arrived)} (${((100 * count) / arrived).toFixed(0)} %)`;
				return { name: endAsText(end), count, ...(end === "redeemed" && { text: share }) };
			}),
		),
		...(held > 0 ? [`  held until \`waitlist resume\`: ${number(held)}`] : []),
		...(state === "paused" ? [`  \`waitlist resume ${name}\` lets it go on.`] : []),
	].join("\n");
}
