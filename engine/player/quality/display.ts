/**
 * Measures the display's refresh period, so a display held at 30 Hz does not look like a slow
 * device. Without a GPU, browsers throttle the frames of a slow worker, so the page's thread
 * measures, too.
 */

const WINDOW = 12;

export interface Display {
	/** ms between display frames; 0 until measured. */
	period: number;
	/** Period measured on the page's thread, in ms; 0 if unknown. */
	witnessed: number;
	/** Time of the last display frame in ms, or -1. */
	frameAt: number;
	readonly intervals: Float64Array;
	heard: number;
}

export function createDisplay(): Display {
	return { period: 0, witnessed: 0, frameAt: -1, intervals: new Float64Array(WINDOW), heard: 0 };
}

export function notePagePeriod(display: Display, period: number): void {
	display.witnessed = period;
	if (period < display.period * 0.8) display.period = period;
}

/** Accepts a shorter period after a few frames, a longer one only if the page's thread agrees. */
export function noteDisplayFrame(display: Display, timeMs: number): void {
	const { frameAt, intervals, period, witnessed } = display;
	display.frameAt = timeMs;
	if (frameAt < 0) return;
	intervals[display.heard++] = timeMs - frameAt;
	if (display.heard < WINDOW) return;
	display.heard = 0;
	const median = intervals.sort()[WINDOW / 2];
	const agreed = Math.abs(median - witnessed) < 0.2 * median;
	if (period === 0 || median < period * 0.8 || agreed) display.period = median;
}

/**
 * Display frames per drawn frame, for the rate nearest to `everyMs`: 45 frames a second at 90 Hz,
 * 72 at 144 Hz. Adding 0.05 keeps an inexact period from turning 45 into 90.
 */
export function displayFramesPerDraw({ period }: Display, everyMs: number): number {
	return period === 0 ? 1 : Math.max(1, Math.round(everyMs / period + 0.05));
}
