import type { Command } from "commander";
import type { Wave } from "../letters/wave/wave.ts";
import {
	countHeldOfWaves,
	countWaves,
	LETTER_ENDS,
	type LetterCounts,
	noLetters,
} from "../letters/wave/wave-counts.ts";
import { readWaves } from "../letters/wave/waves.ts";
import type { Operation } from "../waitlist/operation.ts";
import { chart } from "./terminal/chart.ts";
import { EXIT, JSON_HELP, number, print, withDatabase } from "./terminal/command.ts";

/** Adds `waitlist waves`: what became of each wave. */
export function addWaves(program: Command): void {
	program
		.command("waves [name]")
		.description("what became of each wave: who waits, who was reached, who redeemed the code")
		.option("--json", JSON_HELP)
		.action(async (name: string | undefined, { json }) => {
			await withDatabase(async (operation) => {
				const all = await countAll(operation);
				const waves = name === undefined ? all : all.filter((wave) => wave.name === name);
				print(json, { waves }, () => wavesAsText(waves, name));
				if (name !== undefined && waves.length === 0) process.exitCode = EXIT.notFound;
			});
		});
}

/** A wave in numbers: each of its letters is counted once. */
interface CountedWave extends Omit<Wave, "subject" | "message"> {
	letters: LetterCounts;
	/** Of those that wait, how many `waitlist release --held` has to let go. */
	held: number;
}

async function countAll({ database, now }: Operation): Promise<CountedWave[]> {
	const { query } = database;
	const counts = await countWaves(query, now);
	const held = await countHeldOfWaves(query);
	return (await readWaves(query)).map(({ subject: _, message: __, ...wave }) => ({
		...wave,
		letters: counts.get(wave.name) ?? noLetters(),
		held: held.get(wave.name) ?? 0,
	}));
}

/** In the words of the operator. */
const names: Partial<Record<keyof LetterCounts, string>> = { cancelled: "taken back" };

/** News have no codes. */
const ofCodes: readonly (keyof LetterCounts)[] = ["redeemed", "expired"];

function wavesAsText(waves: readonly CountedWave[], name: string | undefined): string {
	if (waves.length === 0) return name === undefined ? "No waves." : `There is no wave ${name}.`;
	return waves.map(waveAsText).join("\n\n");
}

function waveAsText({ name, kind, state, size, startsAt, validDays, letters, held }: CountedWave) {
	const total = LETTER_ENDS.reduce((sum, end) => sum + letters[end], 0);
	const of = size > 0 ? ` of ${number(size)}` : "";
	const days = validDays > 0 ? `, codes good for ${validDays} days` : "";
	const ends = LETTER_ENDS.filter(
		(end) =>
			letters[end] > 0 || (end !== "cancelled" && (kind !== "news" || !ofCodes.includes(end))),
	);
	return [
		`${name}: ${kind}, ${state}, ${number(total)}${of} letters, from ${startsAt}${days}`,
		...chart(ends.map((end) => ({ name: names[end] ?? end, count: letters[end] }))),
		...(held > 0
			? [`  of those that wait, held until \`waitlist release --held\`: ${number(held)}`]
			: []),
	].join("\n");
}
