/**
 * `npm run bench:peers`: the same emoji sprites drawn by our engine and by npm libraries, in one
 * run, in real Chromium with software GL.
 */
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { installPackages } from "../install-packages.ts";
import { compare, SCENES } from "./compare.ts";
import { ratiosSvg } from "./ratios.ts";
import { readmeTable, replaceMarked, terminalTable } from "./tables.ts";

const USAGE = `Usage: npm run bench:peers -- [options]

Compares what emoji sprites cost by our engine and by libraries from npm, which are installed into
bench/peers/node_modules first. See bench/README.md.

  --rounds NUMBER   how often each arm plays each scene (3)
  --quick           play the smallest scene once, only to see that everything draws
  --json            print everything as JSON
  --update          write the table into bench/README.md and draw bench/peers/ratios.svg
  --help`;

const README = "bench/README.md";
const FULL = { warmUp: 20, leastMs: 800, pictures: 5, mostMs: 5000 };
const QUICK = { warmUp: 2, leastMs: 100, pictures: 1, mostMs: 100 };

function readOptions() {
	const { values } = parseArgs({
		options: {
			rounds: { type: "string", default: "3" },
			quick: { type: "boolean", default: false },
			json: { type: "boolean", default: false },
			update: { type: "boolean", default: false },
			help: { type: "boolean", default: false },
		},
	});
	const rounds = Number(values.rounds);
	if (!Number.isInteger(rounds) || rounds < 1) {
		throw new Error(`--rounds is "${values.rounds}"; it must be a whole number from 1 on.`);
	}
	return { ...values, rounds };
}

async function run({ rounds, quick, json, update }: ReturnType<typeof readOptions>) {
	await installPackages("bench/peers");
	const comparison = quick
		? await compare(SCENES.slice(0, 1), 1, QUICK, () => {})
		: await compare(SCENES, rounds, FULL, (line) => console.error(line));
	console.log(json ? JSON.stringify(comparison, null, "\t") : terminalTable(comparison));
	if (!update) return;
	await writeFile(README, replaceMarked(await readFile(README, "utf8"), readmeTable(comparison)));
	await writeFile("bench/peers/ratios.svg", ratiosSvg(comparison));
}

try {
	const options = readOptions();
	if (options.help) console.log(USAGE);
	else await run(options);
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 2;
}
