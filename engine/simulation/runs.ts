/**
 * Computes which particle is born at which tick. A run is the time between a scene's start and its
 * end. Ordinals continue in the next run, so a scene that returns shows other particles.
 *
 *     tick      1     61    121         500     560
 *     ordinal   0-5   6     7     ...   14-19   20      6 at a run's start, then 1 a second
 */
import { NEVER, SCENE_BITS, type Scene } from "./rules.ts";

/** A scene change at `tick`. The scene's first births are at the next tick. */
export interface Input {
	readonly tick: number;
	readonly scene: Scene;
}

export interface Run {
	readonly start: number;
	/** First tick without births, or `NEVER` if the run has no end yet. */
	readonly end: number;
	readonly first: number;
}

/** Numbers of births at a run's start and in each later batch, and ticks between batches. */
export interface Cadence {
	readonly initial: number;
	readonly batch: number;
	readonly every: number;
}

export function sceneAt(inputs: readonly Input[], tick: number): Scene {
	return inputs.findLast((input) => input.tick <= tick)?.scene ?? "none";
}

export function runsOf(inputs: readonly Input[], bit: number, cadence: Cadence): Run[] {
	const runs: Run[] = [];
	let start = NEVER;
	for (const { tick, scene } of [...inputs, { tick: NEVER - 1, scene: "none" as const }]) {
		const plays = (SCENE_BITS[scene] & bit) !== 0;
		if (plays && start === NEVER) start = tick + 1;
		if (plays || start === NEVER) continue;
		runs.push({ start, end: tick + 1, first: countBirthsUntil(runs, cadence, NEVER) });
		start = NEVER;
	}
	return runs;
}

/** Number of births up to and including `tick`. */
export function countBirthsUntil(runs: readonly Run[], cadence: Cadence, tick: number): number {
	for (let i = runs.length - 1; i >= 0; i--) {
		const { start, end, first } = runs[i];
		if (start > tick) continue;
		const ticks = Math.min(tick, end - 1) - start;
		return first + cadence.initial + cadence.batch * Math.floor(ticks / cadence.every);
	}
	return 0;
}

export function runOfBirth(runs: readonly Run[], ordinal: number): Run {
	let i = runs.length - 1;
	while (runs[i].first > ordinal) i--;
	return runs[i];
}

export function birthTickOf(run: Run, cadence: Cadence, ordinal: number): number {
	const later = ordinal - run.first - cadence.initial;
	return later < 0
		? run.start
		: run.start + cadence.every * (1 + Math.floor(later / cadence.batch));
}
