/**
 * Records simulations to files, and verifies that they play the same here.
 *
 * Exits with 0 if they do, 1 if they do not, 2 for invalid arguments.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { SCENES, type Scene } from "../../engine/simulation/index.ts";
import {
	type Comparison,
	compare,
	type Replay,
	record,
	verify,
} from "../../engine/simulation/replay.ts";
import { LONGEST_REPLAY, parseReplay } from "./replay-file.ts";

const USAGE = `Usage:
  npm run replay -- FILE                 play a recording again and say whether the same comes out
  npm run replay -- FILE OTHER           show where two recordings differ
  npm run replay -- --record FILE [--seed 42] [--scene both] [--ticks 6000] [--every 600]
                                  [--change TICK:SCENE]...
                                         record one; --change sets another scene at a tick
Scenes: ${SCENES.join(", ")}. 60 ticks are a second.`;

class Refusal extends Error {}

function integer(name: string, text: string): number {
	if (!/^\d+$/.test(text)) throw new Refusal(`${name} is "${text}"; it must be a whole number.`);
	return Number(text);
}

function scene(text: string): Scene {
	const found = SCENES.find((name) => name === text);
	if (found === undefined) {
		throw new Refusal(`"${text}" is not a scene; use one of ${SCENES.join(", ")}.`);
	}
	return found;
}

function read(file: string): Replay {
	try {
		return parseReplay(readFileSync(file, "utf8"));
	} catch (error) {
		throw new Refusal(`${file}: ${error instanceof Error ? error.message : error}`);
	}
}

function describe(replay: Replay): string {
	const scenes = replay.inputs.map(([tick, scene]) => `${SCENES[scene]} from tick ${tick}`);
	const [, print, floats, rockets, bursts] = replay.checkpoints.at(-1) ?? [
		0,
		"no checkpoint",
		0,
		0,
		0,
	];
	return (
		`seed ${replay.seed}, ${scenes.join(", ")}, ${replay.ticks} ticks: ` +
		`${floats} floats, ${rockets} rockets, ${bursts} bursts, fingerprint ${print}`
	);
}

function read32(field: string, word: string): string {
	const bits = Uint32Array.of(Number.parseInt(word, 16));
	const whole = field === "birth" || field === "death";
	const [number] = whole ? new Int32Array(bits.buffer) : new Float32Array(bits.buffer);
	return `${word} (${number})`;
}

/** @returns whether they are equal */
function report(
	{ difference, checkpoints }: Comparison,
	names: readonly [string, string],
): boolean {
	if (difference !== undefined) {
		const { tick, slot, field, values } = difference;
		console.log(`They differ from tick ${tick}, first in slot ${slot}, field ${field}:`);
		for (const [i, value] of values.entries()) {
			console.log(`  ${names[i]}: ${value === "" ? "not written" : read32(field, value)}`);
		}
	}
	if (checkpoints.length > 0) {
		const also = difference === undefined ? ", though all records agree" : "";
		console.log(`Checkpoints that differ${also}: ${checkpoints.join(", ")}.`);
	}
	return difference === undefined && checkpoints.length === 0;
}

function main(): boolean {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			record: { type: "string" },
			seed: { type: "string", default: "42" },
			scene: { type: "string", default: "both" },
			ticks: { type: "string", default: "6000" },
			every: { type: "string", default: "600" },
			change: { type: "string", multiple: true, default: [] },
			help: { type: "boolean", short: "h", default: false },
		},
	});
	if (values.help) {
		console.log(USAGE);
		return true;
	}
	const [file, other, ...rest] = positionals;
	if (values.record !== undefined && file === undefined) {
		const inputs = [{ tick: 0, scene: scene(values.scene) }];
		for (const change of values.change) {
			const [tick = "", name = ""] = change.split(":");
			inputs.push({ tick: integer("The tick of --change", tick), scene: scene(name) });
		}
		const [seed, ticks] = [integer("The seed", values.seed), integer("--ticks", values.ticks)];
		if (ticks > LONGEST_REPLAY) {
			throw new Refusal(`--ticks is ${ticks}; it must be at most ${LONGEST_REPLAY}.`);
		}
		const replay = record(seed, inputs, ticks, Math.max(1, integer("--every", values.every)));
		writeFileSync(values.record, `${JSON.stringify(replay)}\n`);
		console.log(`Recorded to ${values.record}: ${describe(replay)}.`);
		return true;
	}
	if (file === undefined || rest.length > 0 || values.record !== undefined) {
		throw new Refusal(USAGE);
	}
	const replay = read(file);
	console.log(`${file}: ${describe(replay)}.`);
	if (other !== undefined) {
		const second = read(other);
		console.log(`${other}: ${describe(second)}.`);
		const same = report(compare(replay, second), [file, other]);
		if (same) console.log("The recordings are identical.");
		return same;
	}
	const verdict = verify(replay);
	if (verdict.state === "foreign") throw new Refusal(`Refused: ${verdict.reason}`);
	const same = report(verdict, ["recorded", "played"]);
	console.log(same ? "The replay is identical." : `Played to the end, tick ${replay.ticks}.`);
	return same;
}

// The reader of the output may stop at any time, like `head`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
	if (error.code !== "EPIPE") throw error;
});

try {
	process.exitCode = main() ? 0 : 1;
} catch (error) {
	const expected =
		error instanceof Refusal ||
		(error instanceof Error && "code" in error) ||
		error instanceof RangeError;
	if (!expected) throw error;
	console.error(error.message);
	process.exitCode = 2;
}
