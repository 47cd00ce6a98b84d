/**
 * The smoothed share (EWMA) of late frames. A stall is one late frame; a slow device is always
 * late.
 */

export interface Mode {
	/** The level falls above, and may climb below. */
	readonly fallAbove: number;
	readonly climbBelow: number;
	/** EWMA weight of a frame; very late ones count up to `most` times. */
	readonly weight: number;
	readonly most: number;
}

/** After a climb: a barely held level would be lost a minute later. */
const ALERT: Mode = { fallAbove: 0.1, climbBelow: 0.05, weight: 1 / 60, most: 4 };
/**
 * The level falls only after 38 late frames in a row, so a second of unrelated work costs none. It also
 * falls at one late frame in twelve (55 a second), which is worth giving up pixels for.
 */
const STEADY: Mode = { fallAbove: 0.08, climbBelow: 0.04, weight: 1 / 450, most: 8 };
/** No pixels left to give up: halve the frame rate only if it is halved already. */
const LENIENT: Mode = { fallAbove: 0.35, climbBelow: 0.12, weight: 1 / 90, most: 8 };
/** Pixels matter more than frames: five seconds of unrelated work cost none. */
const PATIENT: Mode = { fallAbove: 0.35, climbBelow: 0.12, weight: 1 / 180, most: 8 };
const ALERT_MS = 5_000;
const GAP_WEIGHT = 1 / 30;

/** New buffers and meshes disturb this many frames within this many ms. */
const DISTURBED_FRAMES = 5;
const DISTURBED_MS = [150, 400] as const;
/** Longer gaps are the page's or the system's fault, unless repeated. */
const JANK_MS = 700;

export interface Lateness {
	/** The smoothed share of late frames, from 0 to 1, and its mode. */
	share: number;
	mode: Mode;
	gapMs: number;
	alertUntil: number;
	/** ms (-1 if none). */
	drawnAt: number;
	late: boolean;
	ignored: boolean;
	busy: number;
	/** ms of the latest disturbance, and frames drawn since. */
	disturbedAt: number;
	drawn: number;
}

export function createLateness(): Lateness {
	return {
		share: 0,
		mode: ALERT,
		gapMs: 0,
		alertUntil: 0,
		drawnAt: -1,
		late: false,
		ignored: false,
		busy: 0,
		disturbedAt: 0,
		drawn: 0,
	};
}

/**
 * @param lowest the level has no pixels left to give up
 * @param patient pixels matter more than frames
 */
export function modeAt(lateness: Lateness, timeMs: number, lowest: boolean, patient = false): Mode {
	if (lowest) return LENIENT;
	if (patient) return PATIENT;
	return timeMs < lateness.alertUntil ? ALERT : STEADY;
}

/** Startup disturbs the next frames, and the device is unknown. */
export function beginJudging(lateness: Lateness, timeMs: number): void {
	lateness.disturbedAt = timeMs;
	lateness.alertUntil = timeMs + ALERT_MS;
}

/** Ignores the level's first frames and drops the old share. */
export function judgeAnew(lateness: Lateness, timeMs: number, alert: boolean): void {
	clearShare(lateness);
	ignoreNext(lateness, timeMs);
	if (alert) lateness.alertUntil = timeMs + ALERT_MS;
}

/** The next frame has no predecessor. */
export function startAfresh(lateness: Lateness, timeMs: number): void {
	ignoreNext(lateness, timeMs);
	lateness.drawnAt = -1;
	lateness.busy = 0;
}

function ignoreNext(lateness: Lateness, timeMs: number): void {
	lateness.disturbedAt = timeMs;
	lateness.drawn = 0;
	lateness.late = false;
}

export function clearShare(lateness: Lateness): void {
	lateness.share = 0;
}

export function noteBusy(lateness: Lateness): void {
	lateness.busy++;
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
	mode: Mode,
): void {
	const gap = lateness.drawnAt < 0 ? 0 : timeMs - lateness.drawnAt;
	if (gap !== 0 && expectedMs !== 0 && !isDisturbed(lateness, timeMs)) {
		judge(lateness, gap, expectedMs, gap > lateMs, mode);
	}
	lateness.drawnAt = timeMs;
	lateness.drawn++;
	lateness.busy = 0;
}

function isDisturbed({ disturbedAt, drawn }: Lateness, timeMs: number): boolean {
	const since = timeMs - disturbedAt;
	return since < DISTURBED_MS[0] || (since < DISTURBED_MS[1] && drawn < DISTURBED_FRAMES);
}

function judge(
	lateness: Lateness,
	gap: number,
	expectedMs: number,
	late: boolean,
	mode: Mode,
): void {
	// A gap with busy frames is the GPU's fault.
	lateness.ignored = gap > JANK_MS && lateness.busy === 0 && !lateness.ignored;
	if (lateness.ignored) return;
	lateness.gapMs += (lateness.gapMs === 0 ? 1 : GAP_WEIGHT) * (gap - lateness.gapMs);
	// A stall is one late frame, however long. A slow device has several, or a busy GPU.
	const slow = lateness.late || lateness.busy > 0;
	const missed = slow ? Math.floor(gap / expectedMs) - 1 : 1;
	// Thresholds differ per mode: a switch must not cause a fall.
	if (mode !== lateness.mode) lateness.share = Math.min(lateness.share, mode.climbBelow);
	lateness.mode = mode;
	const weight = mode.weight * Math.min(mode.most, Math.max(1, missed));
	lateness.share += weight * ((late ? 1 : 0) - lateness.share);
	lateness.late = late;
}
