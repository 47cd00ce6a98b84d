/**
 * Recordings: inputs, and every record written.
 *
 * JSON of integers and hex digits, because JSON loses -0 and NaN. Verifying records the same run
 * again and compares: it always plays to the end.
 */
import { fingerprint, rulesFingerprint } from "./fingerprint.ts";
import { FIELD, STRIDE } from "./particles.ts";
import { LAST_TICK, SCENES, TICKS_PER_SECOND } from "./rules.ts";
import type { Input } from "./runs.ts";
import { count, restore, step } from "./simulation.ts";

export interface Replay {
	readonly format: "replay";
	readonly version: 1;
	readonly rules: string;
	readonly ticksPerSecond: number;
	/** 8 hex digits. */
	readonly seed: string;
	/** Tick, and the scene's index in `SCENES`. */
	readonly inputs: readonly (readonly [tick: number, scene: number])[];
	readonly ticks: number;
	/** Fingerprints, with counts of births and live particles as evidence of activity. */
	readonly checkpoints: readonly (readonly [tick: number, print: string, ...counts: number[]])[];
	/** In order; words in hex. */
	readonly writes: readonly (readonly [tick: number, slot: number, words: string])[];
}

/** The first differing tick, slot and field. */
export interface Difference {
	readonly tick: number;
	readonly slot: number;
	readonly field: string;
	/** 8 hex digits each, or "" for a slot not yet written. */
	readonly values: readonly [string, string];
}

export interface Comparison {
	readonly difference: Difference | undefined;
	/** Ticks of checkpoints that differ or exist in one recording only. */
	readonly checkpoints: readonly number[];
}

export type Verification =
	| { readonly state: "foreign"; readonly reason: string }
	| ({ readonly state: "same" | "diverged" } & Comparison);

const hex = (word: number) => (word >>> 0).toString(16).padStart(8, "0");

/**
 * @param every ticks between checkpoints; the last tick always has one
 * @throws RangeError for an invalid seed, scene or tick
 */
export function record(seed: number, inputs: readonly Input[], ticks: number, every = 600): Replay {
	const simulation = restore({ seed, inputs, tick: 0 });
	const { ints } = simulation.records;
	const seen = ints.slice();
	const checkpoints: Replay["checkpoints"][number][] = [];
	const writes: Replay["writes"][number][] = [];
	while (simulation.tick < ticks) {
		step(simulation);
		const { tick } = simulation;
		for (let at = 0; at < ints.length; at += STRIDE) {
			let same = 0;
			while (same < STRIDE && ints[at + same] === seen[at + same]) same++;
			if (same === STRIDE) continue;
			const words = ints.subarray(at, at + STRIDE);
			writes.push([tick, at / STRIDE, Array.from(words, hex).join("")]);
			seen.set(words, at);
		}
		if (tick % every !== 0 && tick !== ticks) continue;
		const { born, alive } = count(simulation);
		const counts = [...Object.values(born), ...Object.values(alive)];
		checkpoints.push([tick, fingerprint(simulation), ...counts]);
	}
	const codes = inputs.map(({ tick, scene }) => [tick, SCENES.indexOf(scene)] as const);
	const head = { format: "replay", version: 1, rules: rulesFingerprint() } as const;
	const given = { ticksPerSecond: TICKS_PER_SECOND, seed: hex(seed), inputs: codes, ticks };
	return { ...head, ...given, checkpoints, writes };
}

export function verify(replay: Replay): Verification {
	const rules = rulesFingerprint();
	const foreign = (reason: string) => ({ state: "foreign", reason }) as const;
	if (replay.ticksPerSecond !== TICKS_PER_SECOND) {
		return foreign(
			`It was recorded at ${replay.ticksPerSecond} ticks a second; here are ${TICKS_PER_SECOND}.`,
		);
	}
	if (replay.rules !== rules) {
		return foreign(`It was recorded by the rules ${replay.rules}; these are ${rules}.`);
	}
	const inputs = replay.inputs.map(([tick, scene]) => ({ tick, scene: SCENES[scene] }));
	const every = replay.checkpoints[0]?.[0];
	const comparison = compare(
		replay,
		record(Number.parseInt(replay.seed, 16), inputs, replay.ticks, every),
	);
	const same = comparison.difference === undefined && comparison.checkpoints.length === 0;
	return { state: same ? "same" : "diverged", ...comparison };
}

export function compare(one: Replay, other: Replay): Comparison {
	const points = [one, other].map(
		(replay) => new Map(replay.checkpoints.map((p) => [p[0], `${p}`])),
	);
	const ticks = new Set(points.flatMap((point) => [...point.keys()]));
	return {
		difference: firstDifference(one.writes, other.writes),
		checkpoints: [...ticks].filter((tick) => points[0].get(tick) !== points[1].get(tick)),
	};
}

function firstDifference(a: Replay["writes"], b: Replay["writes"]): Difference | undefined {
	const slots: [Map<number, string>, Map<number, string>] = [new Map(), new Map()];
	const at = [0, 0];
	while (at[0] < a.length || at[1] < b.length) {
		const tick = Math.min(a[at[0]]?.[0] ?? LAST_TICK, b[at[1]]?.[0] ?? LAST_TICK);
		const touched = new Set<number>();
		for (const [side, writes] of [a, b].entries()) {
			for (; writes[at[side]]?.[0] === tick; at[side]++) {
				const [, slot, words] = writes[at[side]];
				slots[side].set(slot, words);
				touched.add(slot);
			}
		}
		for (const slot of [...touched].sort((x, y) => x - y)) {
			const [left, right] = [slots[0].get(slot) ?? "", slots[1].get(slot) ?? ""];
			if (left === right) continue;
			for (const [field, word] of Object.entries(FIELD)) {
				const values = [left, right].map((words) => words.slice(word * 8, word * 8 + 8));
				if (values[0] !== values[1]) return { tick, slot, field, values: [values[0], values[1]] };
			}
		}
	}
	return undefined;
}
