import type { Command } from "commander";
import { type CountedWave, readCountedWaves } from "../mail/wave/counted-waves.ts";
import { endAsText, LETTER_ENDS } from "../mail/wave/wave-counts.ts";
import { shownTime } from "../time.ts";
import { stacked } from "./terminal/chart.ts";
import { EXIT, JSON_HELP, number, print, withDatabase } from "./terminal/command.ts";

/** Adds `waitlist waves`: what became of each wave. */
export function addWaves(program: Command): void {
	program
		.command("waves [name]")
		.description("what became of each wave: who waits, who was reached, who redeemed the code")
		.option("--json", JSON_HELP)
		.action(async (name: string | undefined, { json }) => {
			await withDatabase(async ({ database, now }) => {
				const all = await readCountedWaves(database.query, now);
				const waves = name === undefined ? all : all.filter((wave) => wave.name === name);
				print(json, { waves }, () => wavesAsText(waves, name));
				if (name !== undefined && waves.length === 0) process.exitCode = EXIT.notFound;
			});
		});
}

const shareOf = (part: number, whole: number) =>
	whole > 0 ? ` (${((100 * part) / whole).toFixed(0)} %)` : "";

function wavesAsText(waves: readonly CountedWave[], name: string | undefined): string {
	if (waves.length === 0) return name === undefined ? "No waves." : `There is no wave ${name}.`;
	return waves.map(waveAsText).join("\n\n");
}

function waveAsText({ name, kind, state, size, startsAt, validDays, letters, held }: CountedWave) {
	const total = LETTER_ENDS.reduce((sum, end) => sum + letters[end], 0);
	const of = size > 0 ? ` of ${number(size)}` : "";
	const days = validDays > 0 ? `, codes good for ${validDays} days` : "";
	const ends = LETTER_ENDS.filter((end) => letters[end] > 0 && end !== "redeemed");
	const arrived = letters.accepted + letters.redeemed + letters.expired;
	const redeemed =
		kind === "news"
			? ""
			: `  redeemed ${number(letters.redeemed)} of ${number(arrived)}${shareOf(letters.redeemed, arrived)}`;
	return [
		`${name}: ${kind}, ${state}, ${number(total)}${of} letters, from ${shownTime(startsAt)}${days}`,
		stacked(ends.map((end) => ({ name: endAsText(end), count: letters[end] }))) + redeemed,
		...(held > 0
			? [`  of those that wait, held until \`waitlist release --held\`: ${number(held)}`]
			: []),
	].join("\n");
}
