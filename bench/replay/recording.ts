/**
 * A recording's first line describes the run. Each later line is a particle record that has changed,
 * in hex words, because decimal numbers lose -0 and the bits of NaN.
 *
 *     {"seed":42,"inputs":[{"tick":0,"scene":"both"}],"ticks":6000}
 *     1 0 00000001 000007c3 …                                          tick, slot, 16 words
 */
import {
	FIELD,
	type Input,
	restoreSimulation,
	STRIDE,
	step,
} from "../../engine/simulation/index.ts";

export interface RecordedRun {
	seed: number;
	inputs: readonly Input[];
	ticks: number;
}

const hex = (word: number) => (word >>> 0).toString(16).padStart(8, "0");

/** @throws RangeError for an invalid seed, scene or tick */
export function recordRun(run: RecordedRun): string {
	const simulation = restoreSimulation({ seed: run.seed, inputs: run.inputs, tick: 0 });
	const { ints } = simulation.records;
	const known = ints.slice();
	const lines = [JSON.stringify(run)];
	while (simulation.tick < run.ticks) {
		step(simulation);
		for (let at = 0; at < ints.length; at += STRIDE) {
			const words = ints.subarray(at, at + STRIDE);
			if (words.every((word, field) => word === known[at + field])) continue;
			known.set(words, at);
			lines.push([simulation.tick, at / STRIDE, ...Array.from(words, hex)].join(" "));
		}
	}
	return lines.join("\n");
}

/** @throws Error if the text is not a recording */
export function readRecordedRun(recording: string): RecordedRun {
	const run = JSON.parse(recording.slice(0, recording.indexOf("\n")));
	if (!Array.isArray(run?.inputs)) throw new SyntaxError("it has no inputs");
	return run;
}

/** @returns tick, slot and field of the first difference, for each recording */
export function findFirstDifference(one: string, other: string): [string, string] | undefined {
	const [left, right] = [one.split("\n"), other.split("\n")];
	for (let line = 1; line < Math.max(left.length, right.length); line++) {
		if (left[line] === right[line]) continue;
		const [a, b] = [left, right].map((lines) => lines[line]?.split(" ") ?? []) as [Words, Words];
		const at = a.findIndex((word, i) => word !== b[i]);
		return [describe(a, at), describe(b, at)];
	}
	return undefined;
}

type Words = string[];

function describe(words: Words, at: number): string {
	const [tick, slot, ...fields] = words;
	if (tick === undefined) return "ended before";
	const [name, index] = Object.entries(FIELD)[at - 2] ?? [];
	if (name === undefined) return `tick ${tick}, slot ${slot}`;
	const bits = Uint32Array.of(Number.parseInt(fields[index!]!, 16)).buffer;
	const isTick = name === "birth" || name === "death";
	const [value] = isTick ? new Int32Array(bits) : new Float32Array(bits);
	return `tick ${tick}, slot ${slot}, ${name} ${value} (${fields[index!]})`;
}
