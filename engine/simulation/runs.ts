/**
 * Which particle is born at which tick. It is arithmetic, so any tick can be asked about.
 *
 * A run is a stretch of time with births: from the tick at which a scene that has them begins to
 * the one at which it ends. Its first tick has the initial births, and each period after that has a
 * batch. Ordinals go on from run to run: a scene that comes back is not the same again.
 *
 *     tick      1     61    121         500     560
 *     ordinal   0-5   6     7     ...   14-19   20      (6 at the start, 1 a second, a pause between)
 */
import { NEVER, PLAYS, type Scene } from "./rules.ts";

/** From `tick` on, `scene` plays: its first births are at the next tick. */
export interface Input {
	readonly tick: number;
	readonly scene: Scene;
}

export interface Run {
	/** Tick of the initial births. */
	readonly start: number;
	/** First tick without births, or `NEVER` while it goes on. */
	readonly end: number;
	/** Ordinal of its first birth. */
	readonly first: number;
}

/** Births at the start of a run, births in a batch, ticks from batch to batch. */
export interface Cadence {
	readonly initial: number;
	readonly batch: number;
	readonly every: number;
}

/** The scene that plays at a tick. Inputs are in the order of their ticks. */
export function sceneAt(inputs: readonly Input[], tick: number): Scene {
	return inputs.findLast((input) => input.tick <= tick)?.scene ?? "none";
}

/** The runs of the births that a bit of the scenes stands for (see `PLAYS`). */
export function runsOf(inputs: readonly Input[], bit: number, cadence: Cadence): Run[] {
	const runs: Run[] = [];
	let start = NEVER;
	for (const { tick, scene } of [...inputs, { tick: NEVER - 1, scene: "none" as const }]) {
		const plays = (PLAYS[scene] & bit) !== 0;
		if (plays && start === NEVER) start = tick + 1;
		if (plays || start === NEVER) continue;
		runs.push({ start, end: tick + 1, first: bornBy(runs, cadence, NEVER) });
		start = NEVER;
	}
	return runs;
}

/** Births up to a tick, that tick included. */
export function bornBy(runs: readonly Run[], cadence: Cadence, tick: number): number {
	for (let i = runs.length - 1; i >= 0; i--) {
		const { start, end, first } = runs[i];
		if (start > tick) continue;
		const ticks = Math.min(tick, end - 1) - start;
		return first + cadence.initial + cadence.batch * Math.floor(ticks / cadence.every);
	}
	return 0;
}

/** The run that a birth belongs to. */
export function runOf(runs: readonly Run[], ordinal: number): Run {
	let i = runs.length - 1;
	while (runs[i].first > ordinal) i--;
	return runs[i];
}

/** The tick of a birth. */
export function birthTick(run: Run, cadence: Cadence, ordinal: number): number {
	const later = ordinal - run.first - cadence.initial;
	return later < 0
		? run.start
		: run.start + cadence.every * (1 + Math.floor(later / cadence.batch));
}
