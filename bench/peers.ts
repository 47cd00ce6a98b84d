/**
 * `npm run bench:peers`: the same emoji sprites by our engine and by others' libraries, in one run, in
 * real Chromium with software GL. See `--help`.
 */
import { readFile, writeFile } from "node:fs/promises";
import { Command, InvalidArgumentError } from "commander";
import { compare, SCENES } from "./peers/compare.ts";
import { ratiosSvg } from "./peers/ratios.ts";
import { readmeTables, replaceMarked, terminalTable } from "./peers/report.ts";

const FULL = { warmUp: 20, leastMs: 800, pictures: 5, mostMs: 5000 };
const QUICK = { warmUp: 2, leastMs: 100, pictures: 1, mostMs: 100 };

function readRounds(text: string): number {
	const rounds = Number(text);
	if (Number.isInteger(rounds) && rounds > 0) return rounds;
	throw new InvalidArgumentError("It must be a whole number from 1 on.");
}

const options = new Command("bench:peers")
	.description("Compares what emoji sprites cost by our engine and by libraries from npm.")
	.option("--rounds <number>", "how often each arm plays each scene", readRounds, 3)
	.option("--quick", "play the smallest scene once, only to see that everything draws")
	.option("--json", "print everything as JSON")
	.option("--update", "write the tables into README.md and draw bench/peers/ratios.svg")
	.parse()
	.opts<{ rounds: number; quick?: true; json?: true; update?: true }>();

const comparison = options.quick
	? await compare(SCENES.slice(0, 1), 1, QUICK, () => {})
	: await compare(SCENES, options.rounds, FULL, (line) => console.error(line));

console.log(options.json ? JSON.stringify(comparison, null, "\t") : terminalTable(comparison));
if (options.update) {
	const readme = await readFile("README.md", "utf8");
	await writeFile("README.md", replaceMarked(readme, readmeTables(comparison)));
	await writeFile("bench/peers/ratios.svg", ratiosSvg(comparison));
}
