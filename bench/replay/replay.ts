/**
 * `npm run replay`: records a simulation, or compares a recording with its replay or with another
 * recording. Exits with 1 if they differ, and with 2 for invalid arguments.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { SCENES, type Scene } from "../../engine/simulation/index.ts";
import { findFirstDifference, readRecordedRun, recordRun } from "./recording.ts";

const USAGE = `Usage:
  npm run replay -- FILE                 play a recording again and say whether the same comes out
  npm run replay -- FILE OTHER           show where two recordings differ
  npm run replay -- --record FILE [--seed 42] [--scene both] [--ticks 6000] [--change TICK:SCENE]...
                                         record one; --change sets another scene at a tick
Scenes: ${SCENES.join(", ")}. 60 ticks are a second.`;

function main(): number {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			record: { type: "string" },
			seed: { type: "string", default: "42" },
			scene: { type: "string", default: "both" },
			ticks: { type: "string", default: "6000" },
			change: { type: "string", multiple: true, default: [] },
			help: { type: "boolean", short: "h", default: false },
		},
	});
	const [file, other] = positionals;
	if (values.record !== undefined) {
		const changes = [`0:${values.scene}`, ...values.change].map((change) => change.split(":"));
		const inputs = changes.map(([tick, scene]) => ({ tick: Number(tick), scene: scene as Scene }));
		const run = { seed: Number(values.seed), inputs, ticks: Number(values.ticks) };
		writeFileSync(values.record, recordRun(run));
		return 0;
	}
	if (file === undefined || values.help) {
		console.log(USAGE);
		return values.help ? 0 : 2;
	}
	const recorded = readFileSync(file, "utf8");
	const second = other ? readFileSync(other, "utf8") : recordRun(readRecordedRun(recorded));
	const difference = findFirstDifference(recorded, second);
	if (!difference) {
		console.log("The replay is identical.");
		return 0;
	}
	console.log(`The first difference:\n  ${difference[0]}\n  ${difference[1]}`);
	return 1;
}

try {
	process.exitCode = main();
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 2;
}
