import type { Stats } from "#engine";
import type { PlaygroundState } from "../state.ts";

/** Plot data: columns of equal length, oldest first, as uPlot takes them. */
export interface Samples {
	/** Seconds since the page opened; ms between pictures. */
	frames: [at: number[], ms: number[]];
	/** Per stats event: ticks a second, ticks dropped so far, level, and the counters. */
	reports: [
		at: number[],
		ticks: number[],
		dropped: number[],
		level: number[],
		draws: number[],
		bytes: number[],
		alive: number[],
		objects: number[],
	];
}

/** Seconds that plots look back. */
export const WINDOW_S = 30;

export function createSamples(): Samples {
	return { frames: [[], []], reports: [[], [], [], [], [], [], [], []] };
}

interface Latest {
	at: number;
	stats: Stats | undefined;
	bytes: number;
	moving: boolean;
}

/**
 * While the picture moves. A picture at rest has no frame times, and the first interval after a
 * rest is the rest itself.
 * @returns a function to call with each new state; it returns whether there is a new sample
 */
export function createSampler(
	samples: Samples,
): (state: PlaygroundState, alive: number) => boolean {
	let latest: Latest = { at: 0, stats: undefined, bytes: 0, moving: false };
	return ({ stats, gl, playing }, alive) => {
		// Stats of a picture at rest must not be sampled once it moves.
		if (!playing) latest = { ...latest, stats, moving: false };
		if (!stats || stats === latest.stats || !playing) return false;
		const at = performance.now() / 1000;
		const times = [...stats.frameTimes].slice(latest.moving ? 0 : 1);
		const seconds = latest.moving ? at - latest.at : 0;
		const ticks = stats.tick - (latest.stats?.tick ?? stats.tick);
		const bytes = gl?.bytes ?? 0;
		let when = at - times.reduce((sum, ms) => sum + ms, 0) / 1000;
		for (const ms of times) {
			when += ms / 1000;
			samples.frames[0].push(when);
			samples.frames[1].push(ms);
		}
		const row = [
			at,
			seconds > 0 && ticks >= 0 ? ticks / seconds : Number.NaN,
			stats.dropped,
			stats.level,
			stats.drawCalls,
			times.length > 0 ? Math.max(0, bytes - latest.bytes) / times.length : 0,
			alive,
			gl?.objects ?? 0,
		];
		for (const [i, value] of row.entries()) samples.reports[i]?.push(value);
		forget(samples.frames, at - WINDOW_S);
		forget(samples.reports, at - WINDOW_S);
		latest = { at, stats, bytes, moving: true };
		return true;
	};
}

function forget(columns: number[][], before: number): void {
	const old = columns[0]?.findIndex((at) => at >= before) ?? 0;
	if (old > 0) for (const column of columns) column.splice(0, old);
}

/**
 * The smallest value that this share of the values does not exceed (nearest rank); 0.5 is the
 * median.
 */
export function quantile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
