import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { findProgram } from "../harness/browsers/find.ts";
import { type NodeProbe, runInNode } from "../run-probe.ts";

/** Calls before any is counted, and those of each count: births repeat after 240 ticks. */
const WARM_UP = 2_400;
const CALLS = 4_800;

/**
 * V8 compiles and collects garbage on this thread alone, at the same instruction each time, and does not
 * optimize: when it comes to that is chance, and 12,000 steps that it fell into took three times as many
 * instructions as the next 12,000.
 */
const PREDICTABLE = [
	"--predictable",
	"--hash-seed=1",
	"--random-seed=1",
	"--no-opt",
	"--always-sparkplug",
];

/** Instructions of a call, counted twice: the second is the control, which must come out equal. */
export type Twice = readonly [number, number];

export interface Instructions {
	readonly step: Twice;
	/** A frame without its step. */
	readonly frame: Twice;
}

/** @throws Error with the way to get it, when Valgrind is neither there nor to be had from apt */
export function findValgrind(): Promise<string> {
	return findProgram({
		title: "Valgrind",
		variable: "VALGRIND_PATH",
		commands: ["valgrind"],
		places: [],
		packages: ["valgrind"],
	});
}

/**
 * Counts the processor's instructions in Node with callgrind, which does not mind what else the machine
 * does: the same run differs by a few thousand of 700 million. What a process needs to start and to warm
 * up is in all of them and falls out between them.
 * @param valgrind the program, from `findValgrind`
 * @throws Error when it cannot run Node
 */
export async function countInstructions(probe: NodeProbe, valgrind: string): Promise<Instructions> {
	const count = async (call: "steps" | "frames", times: number) => {
		const log = join(probe.folder, `callgrind-${call}-${times}.log`);
		const body = `bundle.${call}(${times}); return bundle.whereabouts().${call};`;
		const tick = await runInNode(probe, body, {
			flags: PREDICTABLE,
			// V8 writes code and changes it.
			under: [
				...[valgrind, "--tool=callgrind", "--smc-check=all-non-file"],
				...["--callgrind-out-file=/dev/null", `--log-file=${log}`],
			],
		});
		if (Number(tick) < times) throw new Error(`The ${call} stood still at tick ${tick}.`);
		return readCollected(await readFile(log, "utf8"));
	};
	const twice = async (call: "steps" | "frames"): Promise<Twice> => {
		const [warm, once, again] = await Promise.all(
			[0, 1, 2].map((counts) => count(call, WARM_UP + counts * CALLS)),
		);
		return [(once! - warm!) / CALLS, (again! - once!) / CALLS];
	};
	const step = await twice("steps");
	const frame = await twice("frames");
	return { step, frame: [frame[0] - step[0], frame[1] - step[1]] };
}

/** The instructions that callgrind's log tells of. @throws Error with the log when it tells of none */
export function readCollected(log: string): number {
	const [, collected] = /Collected : (\d+)/.exec(log) ?? [];
	if (collected === undefined) throw new Error(`Callgrind counted nothing:\n${log}`);
	return Number(collected);
}
