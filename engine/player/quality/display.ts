/**
 * Learns the display's refresh period. Lateness is relative to it, so that a display held at 30 Hz
 * to save power does not look like a slow device. But without a GPU the browser throttles a slow
 * worker's frames, which looks like a slow display: so the page's thread is a witness.
 */

const WINDOW = 12;

export interface Display {
	/** ms between display frames; 0 until learned. */
	period: number;
	/** As seen by the page's thread; 0 if unknown. */
	witnessed: number;
	/** ms; -1 if none. */
	frameAt: number;
	/** Ring buffer of recent intervals; scratch space for sorting; total count. */
	readonly intervals: Float64Array;
	readonly sorted: Float64Array;
	heard: number;
	/** Frames since the GPU was last busy. */
	sinceBusy: number;
}

export function createDisplay(): Display {
	return {
		period: 0,
		witnessed: 0,
		frameAt: -1,
		intervals: new Float64Array(WINDOW),
		sorted: new Float64Array(WINDOW),
		heard: 0,
		sinceBusy: 0,
	};
}

export function witness(display: Display, period: number): void {
	display.witnessed = period;
	if (period < display.period * 0.8) display.period = period;
}

/** The next frame has no predecessor. */
export function breakOff(display: Display): void {
	display.frameAt = -1;
	display.heard = 0;
}

/** Learns from a frame: a shorter period at once, drift gradually. */
export function hearFrame(display: Display, timeMs: number, busy: boolean): void {
	if (display.frameAt >= 0) hearInterval(display, timeMs - display.frameAt);
	display.frameAt = timeMs;
	display.sinceBusy = busy ? 0 : display.sinceBusy + 1;
}

function hearInterval(display: Display, interval: number): void {
	display.intervals[display.heard % WINDOW] = interval;
	display.heard++;
	if (display.heard % WINDOW !== 0) return;
	const median = sortIntervals(display)[WINDOW / 2];
	const { period } = display;
	if (period === 0 || median < period * 0.8) display.period = median;
	else if (median < period * 1.2) display.period += (median - period) / 4;
}

function sortIntervals(display: Display): Float64Array {
	display.sorted.set(display.intervals);
	return display.sorted.sort();
}

/**
 * Display frames per drawn frame, for the nearest rate: 90 Hz draws 45 frames a second, 144 Hz 72,
 * 165 Hz 55.
 */
export function framesPer({ period }: Display, everyMs: number): number {
	if (period === 0) return 1;
	const wanted = everyMs / period;
	const few = Math.max(1, Math.floor(wanted));
	const above = wanted / few - 1;
	const below = 1 - wanted / (few + 1);
	// A freshly learned period must not break a tie: 72 and 48 are equally far from 60.
	return above > below + 0.02 ? few + 1 : few;
}

/** In ms, if steady and longer than the learned period; else 0. */
export function slowedPeriod(display: Display): number {
	if (display.heard < WINDOW || display.sinceBusy < WINDOW) return 0;
	// The shortest and the longest interval may be outliers.
	const sorted = sortIntervals(display);
	const [shortest, median, longest] = [sorted[1], sorted[WINDOW / 2], sorted[WINDOW - 2]];
	const steady = longest - shortest < 0.3 * median;
	const contradicted = display.witnessed > 0 && median > 1.25 * display.witnessed;
	return steady && !contradicted && shortest > 1.25 * display.period ? median : 0;
}

/** The display itself has slowed down: measure lateness against this period. */
export function acceptPeriod(display: Display, slowed: number): void {
	display.period = slowed;
}
