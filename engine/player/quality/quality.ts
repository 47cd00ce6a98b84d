/**
 * How much the device is asked to draw: frame times in, a level of a short ladder out.
 *
 *     frame ─► display ── period ─► lateness ── share ─► ladder ── level
 *
 * The display's period says when a frame is late, the smoothed share (EWMA) of late frames says when
 * the level changes:
 *
 *     share  1 ┤                       one frame in twelve is late (ten after a climb): a level down
 *         0.08 ┼ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─
 *              │                       stay
 *         0.04 ┼ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─
 *            0 ┤                       hardly any frame is late, for a while: a level up
 *
 * On the lowest levels, which have no pixels to give, the thresholds are 0.35 and 0.12.
 *
 * Nobody needs more than 60 frames a second, and heat is part of quality: on a display of 120 Hz every
 * second frame is drawn. Where the processor does the GPU's work, 30 are drawn: a whole pixel for each
 * CSS px at 30 frames costs what half a pixel costs at 60, and is sharp. So are they where energy is spared.
 *
 * Plain state and functions; nothing is allocated after `createQuality`.
 */
import {
	acceptPeriod,
	breakOff,
	createDisplay,
	type Display,
	framesPer,
	hearFrame,
	isSuspect,
	slowedPeriod,
	suspect,
} from "./display.ts";
import {
	begin,
	createLadder,
	fallsWhileSettling,
	forgetLevels,
	goDown,
	goUp,
	type Hints,
	isLowest,
	isOnProbation,
	LADDER,
	type Ladder,
	type Level,
	mayClimb,
	takeBack,
} from "./ladder.ts";
import {
	beginJudging,
	clearShare,
	createLateness,
	judgeAnew,
	type Lateness,
	modeAt,
	noteBusy,
	noteDrawn,
	startAfresh,
} from "./lateness.ts";

/** What became of a frame of the display. */
export type FrameOutcome =
	/** It was drawn. */
	| "drawn"
	/** It was due, but the GPU had not finished the last one. */
	| "busy"
	/** It was not due. */
	| "passed";

export interface Quality {
	readonly display: Display;
	readonly lateness: Lateness;
	readonly ladder: Ladder;
	/** Whether "busy" is told. Without it a slow GPU looks like a slow display. */
	readonly fenced: boolean;
	/** The processor does the GPU's work: pixels come before pictures. */
	readonly software: boolean;
	/** Energy is worth more than pictures at present. */
	sparing: boolean;
}

/** ms from one drawn frame to the next where half of 60 a second will do. */
const HALF_RATE_MS = 2000 / 60;

/** ms that a frame may come before its time: most of a frame, as displays are not exact. */
const EARLY_MS = 12;

/**
 * A quality that has seen nothing.
 * @param fenced whether "busy" will be told
 * @param pixelRatio the most device pixels for each CSS px that there is a use for
 * @param fixed the level to stay on
 */
export function createQuality(
	hints: Hints,
	fenced: boolean,
	pixelRatio: number,
	fixed?: number,
): Quality {
	return {
		display: createDisplay(),
		lateness: createLateness(),
		ladder: createLadder(hints, pixelRatio, fixed),
		fenced,
		software: hints.software,
		sparing: false,
	};
}

/** The present level. */
export function levelOf({ ladder }: Quality): Level {
	return LADDER[ladder.level];
}

/** ms from one drawn frame to the next that are aimed at. */
function everyOf(quality: Quality): number {
	const { ladder, software, sparing } = quality;
	const least = (software || sparing) && !ladder.fixed ? HALF_RATE_MS : 0;
	return Math.max(levelOf(quality).every, least);
}

/** Begins or ends to spare energy. What was learned at half the rate is doubted at the whole one. */
export function spare(quality: Quality, sparing: boolean, timeMs: number): void {
	if (sparing === quality.sparing) return;
	quality.sparing = sparing;
	judgeAnew(quality.lateness, timeMs, !sparing);
}

/** The most device pixels for each CSS px of what stands still: any device can draw one frame. */
export function stillRatioOf({ ladder }: Quality): number {
	return ladder.fixed ? LADDER[ladder.level].pixelRatio : Number.POSITIVE_INFINITY;
}

/**
 * Whether to wait until the display's period is learned. Without a fence it must be learned while
 * nothing is drawn.
 */
export function isListening({ ladder, display, fenced }: Quality): boolean {
	return !ladder.fixed && !fenced && display.period === 0;
}

/** Whether a frame at a time in ms is due to be drawn, as far as quality goes. */
export function isDue(quality: Quality, timeMs: number): boolean {
	const { display, lateness } = quality;
	if (lateness.drawnAt < 0) return true;
	const everyMs = everyOf(quality);
	const frames = framesPer(display, everyMs);
	const since = timeMs - lateness.drawnAt;
	// A display that was slow while its period was learned may be quicker now.
	return since >= (frames - 0.5) * display.period && since >= everyMs - EARLY_MS;
}

/** The next frames say nothing: after a pause, a hidden tab, a new scene or size. */
export function disturb({ display, lateness }: Quality, timeMs: number): void {
	breakOff(display);
	startAfresh(lateness, timeMs);
}

/** The canvas has another size or pixel ratio: what was learned of the levels is void. */
export function startOver(quality: Quality, pixelRatio: number, timeMs: number): void {
	disturb(quality, timeMs);
	clearShare(quality.lateness);
	forgetLevels(quality.ladder, pixelRatio);
}

/**
 * Takes note of a frame of the display.
 * @param timeMs the frame's timestamp
 * @returns whether the level is another than before
 */
export function noteFrame(quality: Quality, timeMs: number, outcome: FrameOutcome): boolean {
	const { display, lateness, ladder } = quality;
	if (begin(ladder, timeMs)) beginJudging(lateness, timeMs);
	hearFrame(display, timeMs, outcome === "busy");
	if (outcome === "busy") noteBusy(lateness);
	if (outcome !== "drawn") return false;
	const { late } = levelOf(quality);
	const { period } = display;
	const frames = framesPer(display, everyOf(quality));
	const lateMs = Math.max((frames + 0.5) * period, late);
	const mode = modeAt(lateness, timeMs, isLowest(ladder));
	noteDrawn(lateness, timeMs, frames * period, lateMs, mode);
	if (ladder.fixed || ladder.level === 0) return false;
	if (lateness.share >= mode.fallAbove && fall(quality, timeMs)) return true;
	if (lateness.share > mode.climbBelow || period === 0 || !mayClimb(ladder, timeMs)) return false;
	climb(quality, timeMs);
	return true;
}

/** Gives the level up, unless the display itself is found to be slower. */
function fall({ display, lateness, ladder, fenced }: Quality, timeMs: number): boolean {
	const slowed = slowedPeriod(display);
	if (slowed > 0 && !isOnProbation(ladder, timeMs)) {
		// A GPU that is never busy is not slow. Without a fence, a fall that changes nothing shows it.
		const vain = !fallsWhileSettling(ladder, timeMs) && isSuspect(display, slowed);
		if (fenced || vain) {
			acceptPeriod(display, slowed);
			clearShare(lateness);
			if (!vain) return false;
			takeBack(ladder, timeMs);
			judgeAnew(lateness, timeMs, false);
			return true;
		}
	}
	suspect(display, slowed);
	goDown(ladder, timeMs);
	judgeAnew(lateness, timeMs, timeMs < lateness.alertUntil);
	return true;
}

/** Tries the next level at a time in ms. */
export function climb({ display, lateness, ladder }: Quality, timeMs: number): void {
	suspect(display, 0);
	goUp(ladder, timeMs);
	judgeAnew(lateness, timeMs, true);
}
