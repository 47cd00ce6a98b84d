/**
 * The quality levels. Only a trial shows whether a device holds a level, so the ladder climbs until
 * frames are late. It then falls to the first level that holds, and climbs again after a wait:
 *
 *       top ┤       ╭╮             ╭╮                       ╭──
 *           │     ╭─╯╰─╮         ╭─╯╰─╮                   ╭─╯
 *     start ┤ ────╯    ╰─────────╯    ╰───────────────────╯
 *           └──────────────┬─────┬─────────┬──────────────┬──── time
 *                        lands  +1 s     lands          +2 min, then 4, 8 …
 *
 * The first wait is short, because the loading page may have caused the falls. If fewer pixels do
 * not raise the frame rate, the ladder returns to the level it fell from.
 */

export interface QualityLevel {
	/** Device pixels per CSS px; more in a small window (resolution.ts). */
	readonly pixelRatio: number;
	/** Target ms between drawn frames; 0 is a still picture. */
	readonly every: number;
	/** ms after which a frame is late, however fast the display is. */
	readonly late: number;
}

const SIXTIETH = 1000 / 60;

/**
 * Pixels cost most, so they go first. Below a third of a device pixel per CSS px, emoji are hard to
 * recognize (seen in screenshots). Eleven frames a second still beat a still picture.
 */
export const QUALITY_LEVELS: readonly QualityLevel[] = [
	{ pixelRatio: 1 / 3, every: 0, late: 0 },
	{ pixelRatio: 1 / 3, every: 2 * SIXTIETH, late: 90 },
	{ pixelRatio: 1 / 3, every: SIXTIETH, late: 40 },
	{ pixelRatio: 0.4, every: SIXTIETH, late: 20 },
	{ pixelRatio: 0.5, every: SIXTIETH, late: 20 },
	{ pixelRatio: 0.75, every: SIXTIETH, late: 20 },
	{ pixelRatio: 1, every: SIXTIETH, late: 20 },
	{ pixelRatio: 1.5, every: SIXTIETH, late: 20 },
	{ pixelRatio: 2, every: SIXTIETH, late: 20 },
];

const WHOLE_PIXEL = QUALITY_LEVELS.findIndex(({ pixelRatio }) => pixelRatio === 1);

/** Device facts that set the starting level. */
export interface DeviceHints {
	/** GB, as rounded by browsers, if exposed. */
	memory?: number | undefined;
	cores?: number | undefined;
	software: boolean;
	/** Plays on the page's thread, where late frames delay clicks. */
	onPage: boolean;
	/** 2D canvas: resolution is nearly free and frames are expensive. */
	flat?: boolean;
}

const CLIMB_AFTER_MS = 700;
const LAND_AFTER_MS = 2_000;
/** ms until a lost level is tried again; the wait doubles after the second time. */
const WAIT_MS = { first: 1_000, second: 120_000, most: 64 * 60_000 };

/** Fewer pixels helped if the gap between frames shrank by this factor. */
const GAINED = 0.95;
/** The frame rate has dropped if the gap between frames grew by this factor. */
const SLOWER = 1.25;

export type LevelVerdict = "late" | "holds" | "unclear";

export interface Ladder {
	level: number;
	/** The highest level that makes a difference on this display. */
	top: number;
	readonly fixed: boolean;
	/** Time of the latest change, or -1 before the first frame. */
	changedAt: number;
	/** Level before the present descent, or -1. */
	fellFrom: number;
	/** Frame gap in ms at that level. */
	fellAtGapMs: number;
	/** Frame gap in ms at which fewer pixels gained nothing; 0 if unknown. */
	keptAtGapMs: number;
	retryAt: number;
	waitMs: number;
}

const UNKNOWN = {
	changedAt: -1,
	fellFrom: -1,
	fellAtGapMs: 0,
	keptAtGapMs: 0,
	retryAt: 0,
	waitMs: WAIT_MS.first,
};

/**
 * @param pixelRatio useful maximum of device pixels per CSS px
 * @param fixed pins the level
 */
export function createLadder(hints: DeviceHints, pixelRatio: number, fixed?: number): Ladder {
	const { memory = 8, cores = 8, software, onPage, flat } = hints;
	const weak = software || memory <= 2 || cores <= 2;
	const top = topFor(pixelRatio);
	const start = Math.min(top, flat ? WHOLE_PIXEL : 5 - (weak ? 1 : 0) - (onPage ? 1 : 0));
	const level = fixed === undefined ? start : Math.min(fixed, QUALITY_LEVELS.length - 1);
	return { level, top, fixed: fixed !== undefined, ...UNKNOWN };
}

/** The first level with all of the display's pixels. Levels 0 to 2 all draw a third. */
function topFor(pixelRatio: number): number {
	const least = Math.max(pixelRatio, QUALITY_LEVELS[3].pixelRatio);
	const enough = QUALITY_LEVELS.findIndex((level) => level.pixelRatio >= least);
	return enough < 0 ? QUALITY_LEVELS.length - 1 : enough;
}

/** For a window with a different number of pixels. */
export function forgetLevels(ladder: Ladder, pixelRatio: number): void {
	Object.assign(ladder, UNKNOWN, { top: topFor(pixelRatio) });
	if (!ladder.fixed) ladder.level = Math.min(ladder.level, ladder.top);
}

export function forgetDescent(ladder: Ladder): void {
	ladder.fellFrom = -1;
	ladder.keptAtGapMs = 0;
}

/**
 * Moves by one level, undoes a descent, or stays.
 * @param gapMs ms between drawn frames
 * @returns whether the level changed
 */
export function adjustLevel(
	ladder: Ladder,
	verdict: LevelVerdict,
	timeMs: number,
	gapMs: number,
): boolean {
	const { level } = ladder;
	const holds = verdict === "holds";
	// If fewer pixels gained nothing before, a level falls only at a lower frame rate.
	if (verdict === "late" && gapMs >= ladder.keptAtGapMs * SLOWER) fall(ladder, timeMs, gapMs);
	else if (holds && mayClimb(ladder, timeMs)) climbLevel(ladder, timeMs);
	else land(ladder, timeMs, gapMs, holds);
	return ladder.level !== level;
}

function mayClimb({ level, top, fellFrom, changedAt, retryAt }: Ladder, timeMs: number): boolean {
	return level < top && fellFrom < 0 && timeMs >= Math.max(retryAt, changedAt + CLIMB_AFTER_MS);
}

export function climbLevel(ladder: Ladder, timeMs: number): void {
	forgetDescent(ladder);
	change(ladder, ladder.level + 1, timeMs);
}

function fall(ladder: Ladder, timeMs: number, gapMs: number): void {
	if (ladder.fellFrom < 0) {
		ladder.fellFrom = ladder.level;
		ladder.fellAtGapMs = gapMs;
	}
	change(ladder, ladder.level - 1, timeMs);
	if (ladder.level > 0) return;
	ladder.waitMs = Math.max(ladder.waitMs, WAIT_MS.second);
	wait(ladder, timeMs);
}

/** Ends a descent: undoes it if it gained no frames, or waits if the level holds. */
function land(ladder: Ladder, timeMs: number, gapMs: number, holds: boolean): void {
	const { changedAt, fellFrom, fellAtGapMs } = ladder;
	if (fellFrom < 0 || timeMs - changedAt < LAND_AFTER_MS) return;
	// Devices too slow to move end at the still picture.
	const vain = gapMs > fellAtGapMs * GAINED && gapMs < QUALITY_LEVELS[1].late;
	if (!vain && !holds) return;
	ladder.fellFrom = -1;
	if (vain) {
		ladder.keptAtGapMs = fellAtGapMs;
		change(ladder, fellFrom, timeMs);
	} else wait(ladder, timeMs);
}

function wait(ladder: Ladder, timeMs: number): void {
	ladder.retryAt = timeMs + ladder.waitMs;
	ladder.waitMs = Math.min(WAIT_MS.most, Math.max(WAIT_MS.second, 2 * ladder.waitMs));
}

function change(ladder: Ladder, level: number, timeMs: number): void {
	ladder.level = level;
	ladder.changedAt = timeMs;
}
