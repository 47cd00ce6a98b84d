/** The smoothed share (EWMA) of late frames. A stall counts as one late frame, however long. */

export interface LatenessMode {
	/** Shares of late frames above which the level falls, and below which it may climb. */
	readonly fallAbove: number;
	readonly climbBelow: number;
	/** EWMA weight of a frame. */
	readonly weight: number;
}

/** After a level change, seven late frames lower the level again. */
export const ALERT_MODE: LatenessMode = { fallAbove: 0.1, climbBelow: 0.05, weight: 1 / 60 };
/** Falls only after 38 late frames in a row, so a second of unrelated work costs no level. */
export const STEADY_MODE: LatenessMode = { fallAbove: 0.08, climbBelow: 0.04, weight: 1 / 450 };
/** Falls only after five busy seconds, for devices where pixels matter more than frames. */
export const PATIENT_MODE: LatenessMode = { fallAbove: 0.35, climbBelow: 0.12, weight: 1 / 180 };

const GAP_WEIGHT = 1 / 30;
/** Maximum number of missed frames that one late frame counts as. */
const MOST_MISSED = 8;

export interface Lateness {
	share: number;
	/** The smoothed gap between drawn frames. */
	gapMs: number;
	/** Time of the last drawn frame in ms, or -1. */
	drawnAt: number;
	late: boolean;
}

export const createLateness = (): Lateness => ({ share: 0, gapMs: 0, drawnAt: -1, late: false });

/**
 * @param expectedMs gap between drawn frames, or 0 while the display's period is unknown
 * @param lateMs the gap that makes a frame late
 */
export function noteDrawnFrame(
	lateness: Lateness,
	timeMs: number,
	expectedMs: number,
	lateMs: number,
	weight: number,
): void {
	const { drawnAt } = lateness;
	lateness.drawnAt = timeMs;
	if (drawnAt < 0 || expectedMs === 0) return;
	const gap = timeMs - drawnAt;
	lateness.gapMs += (lateness.gapMs === 0 ? 1 : GAP_WEIGHT) * (gap - lateness.gapMs);
	const late = gap > lateMs;
	// Only consecutive late frames count by their length, so a stall counts once.
	const missed = late && lateness.late ? Math.round(gap / expectedMs) - 1 : 1;
	const counted = Math.min(MOST_MISSED, Math.max(1, missed));
	lateness.share += weight * counted * ((late ? 1 : 0) - lateness.share);
	lateness.late = late;
}
