/**
 * Learns the display's refresh period, to which lateness is relative: a display held at 30 Hz to
 * save power must not look like a slow device. Without a GPU, the browser throttles a slow worker's
 * frames, which looks like a slow display, so the page's thread measures the period, too.
 */

const WINDOW = 12;

export interface Display {
	/** ms between display frames; 0 until learned. */
	period: number;
	/** Period measured on the page's thread, in ms; 0 if unknown. */
	witnessed: number;
	/** Time of the last display frame in ms, or -1. */
	frameAt: number;
	/** The latest intervals in ms; `heard` counts them. */
	readonly intervals: Float64Array;
	heard: number;
}

export function createDisplay(): Display {
	return { period: 0, witnessed: 0, frameAt: -1, intervals: new Float64Array(WINDOW), heard: 0 };
}

export function witness(display: Display, period: number): void {
	display.witnessed = period;
	if (period < display.period * 0.8) display.period = period;
}

/** Learns a shorter period from a few frames, a longer one only if the page's thread agrees. */
export function hearFrame(display: Display, timeMs: number): void {
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
 * 72 at 144 Hz, 55 at 165 Hz. Adding 0.05 keeps an inexact period from turning 45 into 90.
 */
export function framesPer({ period }: Display, everyMs: number): number {
	return period === 0 ? 1 : Math.max(1, Math.round(everyMs / period + 0.05));
}
