/**
 * The quality levels, and when to try the next one.
 *
 * Only trying shows whether a level can be held. The ladder starts low and climbs quickly while
 * settling; levels lost then are retried soon, because the loading page may be the cause. Later
 * climbs are on probation, and failing it means a back-off of two minutes, which doubles with each
 * failure.
 *
 * Consecutive falls form a descent. If it gained no frames, something other than pixels takes the
 * time: the descent is undone, and its level kept as long as the frame rate drops no further.
 */

export interface Level {
	/** Device pixels per CSS px; more in a small window: see resolution.ts. */
	readonly pixelRatio: number;
	/** Target ms between drawn frames; 0 is a still picture. */
	readonly every: number;
	/** ms after which a frame is late, however fast the display is. */
	readonly late: number;
}

const SIXTIETH = 1000 / 60;

/**
 * Pixels cost most. Below a third of a device pixel emoji are hard to recognize (seen in
 * screenshots). Visitors notice a halved rate most, so it comes second to last, and only if half of
 * the frames are late. Eleven frames a second still beat a still picture.
 */
export const LADDER: readonly Level[] = [
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

const WHOLE_PIXEL = LADDER.findIndex(({ pixelRatio }) => pixelRatio === 1);

/** Known before the first frame; only sets the starting level. */
export interface Hints {
	/** GB, as rounded by browsers, if exposed. */
	memory?: number | undefined;
	cores?: number | undefined;
	/** The CPU does the GPU's work. */
	software: boolean;
	/** Late frames are felt there. */
	onPage: boolean;
	/** 2D canvas: resolution is nearly free and frames are expensive. */
	flat?: boolean;
}

const REST_MS = { settling: 700, settled: 60_000 };
/** Duration of settling; each climb extends it. */
const SETTLING_MS = { least: 8_000, climb: 2_000 };
/** ms a level must be held for a climb to succeed. */
const PROBATION_MS = 30_000;
/** ms until a lost level is retried; while settling the page may be the cause. */
const BACK_OFF_MS = { settling: 3_000, first: 120_000, most: 64 * 60_000 };

/**
 * A descent ends after this long on a level, and has won if frame gaps shrank by this factor. A
 * kept level may fall if they grow by this factor.
 */
const DESCENT = { endsAfterMs: 2_000, won: 0.95, slower: 1.25 };

export interface Ladder {
	level: number;
	/** The highest level that makes a difference on this display. */
	top: number;
	readonly fixed: boolean;
	/** ms of the first frame (-1 if none) and the latest change. */
	startedAt: number;
	changedAt: number;
	/** ms; a failed climb ends settling too, unless the start caused it. */
	settlesUntil: number;
	/** ms of the climb to this level, or -Infinity. */
	climbedAt: number;
	/** Start of the current descent (-1 if none), and the frame gap there in ms. */
	fellFrom: number;
	fellAtGapMs: number;
	/** Frame gap in ms at which fewer pixels gained nothing; 0 if unknown. */
	keptAtGapMs: number;
	/** Per level: ms to wait after the next failure, and when to retry. */
	readonly backOff: Float64Array;
	readonly retryAt: Float64Array;
}

/**
 * @param pixelRatio useful maximum of device pixels per CSS px
 * @param fixed pins the level
 */
export function createLadder(hints: Hints, pixelRatio: number, fixed?: number): Ladder {
	const { memory = 8, cores = 8, software, onPage, flat } = hints;
	const weak = software || memory <= 2 || cores <= 2;
	const top = topFor(pixelRatio);
	const start = Math.min(top, flat ? WHOLE_PIXEL : 5 - (weak ? 1 : 0) - (onPage ? 1 : 0));
	return {
		level: fixed === undefined ? start : Math.min(fixed, LADDER.length - 1),
		top,
		fixed: fixed !== undefined,
		startedAt: -1,
		changedAt: 0,
		settlesUntil: 0,
		climbedAt: Number.NEGATIVE_INFINITY,
		fellFrom: -1,
		fellAtGapMs: 0,
		keptAtGapMs: 0,
		backOff: new Float64Array(LADDER.length).fill(BACK_OFF_MS.first),
		retryAt: new Float64Array(LADDER.length),
	};
}

/** The first level with all available pixels, beyond the first three, which draw a third. */
function topFor(pixelRatio: number): number {
	const least = Math.max(pixelRatio, LADDER[3].pixelRatio);
	const enough = LADDER.findIndex((level) => level.pixelRatio >= least);
	return enough < 0 ? LADDER.length - 1 : enough;
}

export function isLowest({ level }: Ladder): boolean {
	return LADDER[level].pixelRatio === LADDER[0].pixelRatio;
}

/** Call when the display needs a different number of pixels. */
export function forgetLevels(ladder: Ladder, pixelRatio: number): void {
	ladder.top = topFor(pixelRatio);
	if (!ladder.fixed) ladder.level = Math.min(ladder.level, ladder.top);
	ladder.startedAt = -1;
	ladder.climbedAt = Number.NEGATIVE_INFINITY;
	forgetDescent(ladder);
	ladder.backOff.fill(BACK_OFF_MS.first);
	ladder.retryAt.fill(0);
}

/** Returns whether this was the first frame. */
export function begin(ladder: Ladder, timeMs: number): boolean {
	if (ladder.startedAt >= 0) return false;
	ladder.startedAt = timeMs;
	ladder.changedAt = timeMs;
	ladder.settlesUntil = timeMs + SETTLING_MS.least;
	return true;
}

/** Whether a fall now means that the climb failed. */
export function isOnProbation({ climbedAt }: Ladder, timeMs: number): boolean {
	return timeMs - climbedAt < PROBATION_MS;
}

/** Whether the page's start may have caused a fall. */
export function fallsWhileSettling({ startedAt }: Ladder, timeMs: number): boolean {
	return timeMs + BACK_OFF_MS.settling - startedAt < SETTLING_MS.least;
}

export function isSettled(ladder: Ladder, timeMs: number): boolean {
	return ladder.fixed || (ladder.startedAt >= 0 && !isSettling(ladder, timeMs));
}

function isSettling({ settlesUntil }: Ladder, timeMs: number): boolean {
	return timeMs < settlesUntil;
}

export function mayClimb(ladder: Ladder, timeMs: number): boolean {
	const { level, top, changedAt } = ladder;
	const rest = isSettling(ladder, timeMs) ? REST_MS.settling : REST_MS.settled;
	return level !== top && timeMs - changedAt >= rest && timeMs >= nextTry(ladder);
}

/** In ms. A still picture has no frames to judge by. */
export function nextTry({ level, retryAt }: Ladder): number {
	return retryAt[level + 1];
}

export function goUp(ladder: Ladder, timeMs: number): void {
	if (isSettling(ladder, timeMs)) {
		ladder.settlesUntil = Math.max(ladder.settlesUntil, timeMs + SETTLING_MS.climb);
	}
	ladder.climbedAt = timeMs;
	forgetDescent(ladder);
	change(ladder, ladder.level + 1, timeMs);
}

/** @param gapMs ms between drawn frames there */
export function goDown(ladder: Ladder, timeMs: number, gapMs: number): void {
	const { level, backOff, retryAt } = ladder;
	if (ladder.fellFrom < 0) {
		ladder.fellFrom = level;
		ladder.fellAtGapMs = gapMs;
	}
	let waitMs = backOff[level];
	if (fallsWhileSettling(ladder, timeMs)) waitMs = BACK_OFF_MS.settling;
	else if (isOnProbation(ladder, timeMs)) {
		ladder.settlesUntil = timeMs;
		backOff[level] = Math.min(2 * waitMs, BACK_OFF_MS.most);
	}
	retryAt[level] = timeMs + waitMs;
	ladder.climbedAt = Number.NEGATIVE_INFINITY;
	change(ladder, level - 1, timeMs);
}

/** Whether to keep the level because fewer pixels would gain nothing. */
export function isKept({ keptAtGapMs }: Ladder, gapMs: number): boolean {
	return gapMs < keptAtGapMs * DESCENT.slower;
}

/** Whether the descent gained no frames. Devices too slow to move end at the still picture. */
export function isVain({ fellFrom, fellAtGapMs }: Ladder, gapMs: number): boolean {
	return fellFrom >= 0 && gapMs > fellAtGapMs * DESCENT.won && gapMs < LADDER[1].late;
}

/** Undoes a held descent if it gained nothing. Returns whether it did. */
export function land(ladder: Ladder, timeMs: number, gapMs: number): boolean {
	if (gapMs < ladder.keptAtGapMs * DESCENT.won) ladder.keptAtGapMs = 0;
	if (ladder.fellFrom < 0 || timeMs - ladder.changedAt < DESCENT.endsAfterMs) return false;
	const vain = isVain(ladder, gapMs);
	if (vain) takeBack(ladder, timeMs);
	ladder.fellFrom = -1;
	return vain;
}

/** Undoes a descent that gained nothing, and keeps its level. */
export function takeBack(ladder: Ladder, timeMs: number): void {
	const { fellFrom, fellAtGapMs, retryAt } = ladder;
	retryAt.fill(0, 0, fellFrom + 1);
	ladder.keptAtGapMs = fellAtGapMs;
	ladder.fellFrom = -1;
	change(ladder, fellFrom, timeMs);
}

export function forgetDescent(ladder: Ladder): void {
	ladder.fellFrom = -1;
	ladder.keptAtGapMs = 0;
}

function change(ladder: Ladder, level: number, timeMs: number): void {
	ladder.level = level;
	ladder.changedAt = timeMs;
}
