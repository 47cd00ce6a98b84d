/**
 * The smoothed share (EWMA) of late frames. A stall is one late frame; a slow device is always
 * late.
 */

export interface Mode {
	/** The level falls above, and may climb below. */
	readonly fallAbove: number;
	readonly climbBelow: number;
	/** EWMA weight of a frame. */
	readonly weight: number;
}

/** After a change: seven late frames are enough to tell a level that cannot be held. */
export const ALERT: Mode = { fallAbove: 0.1, climbBelow: 0.05, weight: 1 / 60 };
/**
 * Falls only after 38 late frames in a row, so a second of unrelated work costs none. It also falls
 * at one late frame in twelve (55 a second), which is worth giving up pixels for.
 */
export const STEADY: Mode = { fallAbove: 0.08, climbBelow: 0.04, weight: 1 / 450 };
/** Pixels matter more than frames, or none are left to give up: five busy seconds cost nothing. */
export const PATIENT: Mode = { fallAbove: 0.35, climbBelow: 0.12, weight: 1 / 180 };

const GAP_WEIGHT = 1 / 30;
/** A slow device's frame counts at most this often. */
const MOST_MISSED = 8;
/** New buffers and meshes delay the first frames. */
const DISTURBED_MS = 200;

export interface Lateness {
	/** The smoothed share of late frames, from 0 to 1. */
	share: number;
	/** The smoothed gap between drawn frames, in ms. */
	gapMs: number;
	/** ms (-1 if none). */
	drawnAt: number;
	late: boolean;
	ignoredUntil: number;
}

export function createLateness(): Lateness {
	return { share: 0, gapMs: 0, drawnAt: -1, late: false, ignoredUntil: 0 };
}

/** Forgets the share, and ignores the frames that a change disturbs. */
export function judgeAnew(lateness: Lateness, timeMs: number): void {
	lateness.share = 0;
	lateness.late = false;
	lateness.ignoredUntil = timeMs + DISTURBED_MS;
}

/**
 * @param expectedMs gap between drawn frames, or 0 while the display's period is unknown
 * @param lateMs the gap that makes a frame late
 */
export function noteDrawn(
	lateness: Lateness,
	timeMs: number,
	expectedMs: number,
	lateMs: number,
	weight: number,
): void {
	const { drawnAt, ignoredUntil } = lateness;
	lateness.drawnAt = timeMs;
	if (drawnAt < 0 || expectedMs === 0 || timeMs < ignoredUntil) return;
	const gap = timeMs - drawnAt;
	lateness.gapMs += (lateness.gapMs === 0 ? 1 : GAP_WEIGHT) * (gap - lateness.gapMs);
	const late = gap > lateMs;
	// A stall is one late frame, however long. A slow device is late again and again.
	const missed = late && lateness.late ? Math.round(gap / expectedMs) - 1 : 1;
	const counted = Math.min(MOST_MISSED, Math.max(1, missed));
	lateness.share += weight * counted * ((late ? 1 : 0) - lateness.share);
	lateness.late = late;
}
