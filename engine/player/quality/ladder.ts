/**
 * The levels of quality, and when the next one may be tried.
 *
 * Whether a level can be held is only known by trying. The ladder starts low and climbs quickly while
 * it is settling, and what it falls from then is tried again soon, as the page that loads may have been
 * the cause. Later a climb is on probation, and a level that fails it is left alone for a back-off of
 * two minutes, which doubles with each failure.
 *
 * Falls that follow one another are one descent. One that has won no frames is taken back, as something
 * else than pixels takes the time, and its level is kept while its frames are no fewer than then.
 */

export interface Level {
	/** The most device pixels to draw for each CSS px; more in a small window: see resolution.ts. */
	readonly pixelRatio: number;
	/** ms from one drawn frame to the next that it aims at; 0 is a still picture. */
	readonly every: number;
	/** ms from which a frame is late, however fast the display is. */
	readonly late: number;
}

const SIXTIETH = 1000 / 60;

/**
 * From a still picture to all there is. Pixels cost most. Below a third of a device pixel emoji are
 * hard to tell (seen in screenshots). Halving the rate comes last but one, as visitors see it most, and
 * only where no more than half of the frames come. Eleven frames a second still move, which is better
 * than a still picture.
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

/** The level with one device pixel for each CSS px. */
const WHOLE_PIXEL = LADDER.findIndex(({ pixelRatio }) => pixelRatio === 1);

/** What is known of a device before it has drawn anything. It only says where to start. */
export interface Hints {
	/** GB, as browsers round it, where they tell. */
	memory?: number | undefined;
	cores?: number | undefined;
	/** The processor does the GPU's work. */
	software: boolean;
	/** Drawn on the page's thread, where every late frame is felt. */
	onPage: boolean;
	/** Drawn without WebGL, where pixels cost next to nothing, and pictures do. */
	flat?: boolean;
}

/** ms without a change before a climb: few while it is settling, many later. */
const REST_MS = { settling: 700, settled: 60_000 };
/** It settles for so long, and goes on while each climb is soon followed by the next one. */
const SETTLING_MS = { least: 8_000, climb: 2_000 };
/** ms that a level must be held for the climb to have succeeded. */
const PROBATION_MS = 30_000;
/** ms until a level is tried again after a fall; while settling, the page may be the cause of it. */
const BACK_OFF_MS = { settling: 3_000, first: 120_000, most: 64 * 60_000 };

/**
 * A descent has ended when a level was held for so many ms, and has won when the gap between drawn frames is so
 * much shorter. A kept level may fall when the gap is so much longer.
 */
const DESCENT = { endsAfterMs: 2_000, won: 0.95, slower: 1.25 };

export interface Ladder {
	/** Place in `LADDER`. */
	level: number;
	/** The highest level that makes a difference on this display. */
	top: number;
	/** The level never changes. */
	readonly fixed: boolean;
	/** Times in ms of the first frame, -1 when there is none, and of the latest change. */
	startedAt: number;
	changedAt: number;
	/** Until when, in ms, it looks for its level: until a climb fails that the start did not disturb. */
	settlesUntil: number;
	/** Time in ms of the climb to this level; -Infinity when it was not reached by climbing. */
	climbedAt: number;
	/** Where the present descent began, -1 when there is none, and the gap between drawn frames there in ms. */
	fellFrom: number;
	fellAtGapMs: number;
	/** The gap in ms at which fewer pixels won no frames; 0 when none is known. */
	keptAtGapMs: number;
	/** For each level: ms to wait after the next failure, and when it may be tried again. */
	readonly backOff: Float64Array;
	readonly retryAt: Float64Array;
}

/**
 * @param pixelRatio the most device pixels for each CSS px that there is a use for
 * @param fixed the level to stay on
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

/** The first level that draws all the pixels there are. The first three draw a third, whatever there is. */
function topFor(pixelRatio: number): number {
	const least = Math.max(pixelRatio, LADDER[3].pixelRatio);
	const enough = LADDER.findIndex((level) => level.pixelRatio >= least);
	return enough < 0 ? LADDER.length - 1 : enough;
}

/** Whether the level has no pixels to give. */
export function isLowest({ level }: Ladder): boolean {
	return LADDER[level].pixelRatio === LADDER[0].pixelRatio;
}

/** What was learned of the levels is void: the display has another use for pixels. */
export function forgetLevels(ladder: Ladder, pixelRatio: number): void {
	ladder.top = topFor(pixelRatio);
	if (!ladder.fixed) ladder.level = Math.min(ladder.level, ladder.top);
	ladder.startedAt = -1;
	ladder.climbedAt = Number.NEGATIVE_INFINITY;
	forgetDescent(ladder);
	ladder.backOff.fill(BACK_OFF_MS.first);
	ladder.retryAt.fill(0);
}

/** Begins at a frame's time in ms, unless it has begun. Returns whether it does. */
export function begin(ladder: Ladder, timeMs: number): boolean {
	if (ladder.startedAt >= 0) return false;
	ladder.startedAt = timeMs;
	ladder.changedAt = timeMs;
	ladder.settlesUntil = timeMs + SETTLING_MS.least;
	return true;
}

/** Whether the level was climbed to so recently that a fall from it is a failure of the climb. */
export function isOnProbation({ climbedAt }: Ladder, timeMs: number): boolean {
	return timeMs - climbedAt < PROBATION_MS;
}

/** Whether a fall may be the start's doing, so that the level is tried again soon. */
export function fallsWhileSettling({ startedAt }: Ladder, timeMs: number): boolean {
	return timeMs + BACK_OFF_MS.settling - startedAt < SETTLING_MS.least;
}

/** Whether it has found its level, at a frame's time in ms. */
export function isSettled(ladder: Ladder, timeMs: number): boolean {
	return ladder.fixed || (ladder.startedAt >= 0 && !isSettling(ladder, timeMs));
}

/** Whether it still looks for its level. */
function isSettling({ settlesUntil }: Ladder, timeMs: number): boolean {
	return timeMs < settlesUntil;
}

/** Whether the next level may be tried. */
export function mayClimb(ladder: Ladder, timeMs: number): boolean {
	const { level, top, changedAt } = ladder;
	const rest = isSettling(ladder, timeMs) ? REST_MS.settling : REST_MS.settled;
	return level !== top && timeMs - changedAt >= rest && timeMs >= nextTry(ladder);
}

/** When back-off lets the next level be tried, in ms. A still picture has no frames to judge by. */
export function nextTry({ level, retryAt }: Ladder): number {
	return retryAt[level + 1];
}

/** Tries the next level. */
export function goUp(ladder: Ladder, timeMs: number): void {
	if (isSettling(ladder, timeMs)) {
		ladder.settlesUntil = Math.max(ladder.settlesUntil, timeMs + SETTLING_MS.climb);
	}
	ladder.climbedAt = timeMs;
	forgetDescent(ladder);
	change(ladder, ladder.level + 1, timeMs);
}

/**
 * Gives a level up, for as long as its back-off says.
 * @param gapMs from one drawn frame to the next there
 */
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

/** Whether the level is kept, as fewer pixels would win nothing. */
export function isKept({ keptAtGapMs }: Ladder, gapMs: number): boolean {
	return gapMs < keptAtGapMs * DESCENT.slower;
}

/** Whether a descent has won no frames so far. A device too slow to move goes down to the still picture. */
export function isVain({ fellFrom, fellAtGapMs }: Ladder, gapMs: number): boolean {
	return fellFrom >= 0 && gapMs > fellAtGapMs * DESCENT.won && gapMs < LADDER[1].late;
}

/** Ends a descent whose level is held, and takes it back if it was in vain. Returns whether it does. */
export function land(ladder: Ladder, timeMs: number, gapMs: number): boolean {
	if (gapMs < ladder.keptAtGapMs * DESCENT.won) ladder.keptAtGapMs = 0;
	if (ladder.fellFrom < 0 || timeMs - ladder.changedAt < DESCENT.endsAfterMs) return false;
	const vain = isVain(ladder, gapMs);
	if (vain) takeBack(ladder, timeMs);
	ladder.fellFrom = -1;
	return vain;
}

/** Takes a descent back, as something else than pixels takes the time, and keeps the level meanwhile. */
export function takeBack(ladder: Ladder, timeMs: number): void {
	const { fellFrom, fellAtGapMs, retryAt } = ladder;
	retryAt.fill(0, 0, fellFrom + 1);
	ladder.keptAtGapMs = fellAtGapMs;
	ladder.fellFrom = -1;
	change(ladder, fellFrom, timeMs);
}

/** Forgets where falls began and what they won: another level or rate is tried. */
export function forgetDescent(ladder: Ladder): void {
	ladder.fellFrom = -1;
	ladder.keptAtGapMs = 0;
}

function change(ladder: Ladder, level: number, timeMs: number): void {
	ladder.level = level;
	ladder.changedAt = timeMs;
}
