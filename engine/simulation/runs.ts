/**
 * Computes which particle is born at which tick.
 *
 * A run lasts from a scene's first tick to its end. The first tick has the initial births, each
 * later period a batch. Ordinals continue, so a scene that returns differs from its first time.
 *
 *     tick      1     61    121         500     560
 *     ordinal   0-5   6     7     ...   14-19   20      (6 at the start, 1 a second, a pause between)
 */
import { NEVER, PLAYS, type Scene } from "./rules.ts";

/** Plays `scene` from `tick`: its first births are at the next tick. */
export interface Input {
	readonly tick: number;
	readonly scene: Scene;
}

export interface Run {
	readonly start: number;
	/** First tick without births, or `NEVER` while it continues. */
	readonly end: number;
	readonly first: number;
}

/** Births at a scene's start and in each batch, and ticks between batches. */
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
		const plays = (PLAYS[scene] & bit) !== 0;
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

export function runOf(runs: readonly Run[], ordinal: number): Run {
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
