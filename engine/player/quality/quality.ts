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
 * On the lowest levels, which have no pixels to give, and where half of the frames are drawn anyway, the
 * thresholds are 0.35 and 0.12. A descent that won no frames is taken back: see ladder.ts.
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
	slowedPeriod,
} from "./display.ts";
import {
	begin,
	createLadder,
	fallsWhileSettling,
	forgetDescent,
	forgetLevels,
	goDown,
	goUp,
	type Hints,
	isKept,
	isLowest,
	isOnProbation,
	isVain,
	LADDER,
	type Ladder,
	type Level,
	land,
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
	/** The processor does the GPU's work: pixels come before frames. */
	readonly software: boolean;
	/** Energy is worth more than pictures at present. */
	sparing: boolean;
}

/** ms from one drawn frame to the next where half of 60 a second will do. */
const HALF_RATE_MS = 2000 / 60;

/**
 * ms from which a frame is late there. A whole pixel without a GPU costs 30 ms, so that a machine with other work
 * often draws after 50 ms: 20 sharp frames a second are better than 30 soft ones (seen), 15 are not.
 */
const HALVED_LATE_MS = 58;

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

/** Whether half of 60 frames a second will do, as pixels come before frames. */
function isHalved({ ladder, software, sparing }: Quality): boolean {
	return (software || sparing) && !ladder.fixed;
}

/** ms from one drawn frame to the next that are aimed at. */
function everyOf(quality: Quality): number {
	return Math.max(levelOf(quality).every, isHalved(quality) ? HALF_RATE_MS : 0);
}

/** ms from one drawn frame to the next from which it is late. */
function lateFrom(quality: Quality): number {
	const { period } = quality.display;
	const frames = framesPer(quality.display, everyOf(quality));
	const least = Math.max(levelOf(quality).late, isHalved(quality) ? HALVED_LATE_MS : 0);
	return Math.max((frames + 0.5) * period, least);
}

/** Begins or ends to spare energy. What was learned at half the rate is doubted at the whole one. */
export function spare(quality: Quality, sparing: boolean, timeMs: number): void {
	if (sparing === quality.sparing) return;
	quality.sparing = sparing;
	forgetDescent(quality.ladder);
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
	const { period } = display;
	const expectedMs = framesPer(display, everyOf(quality)) * period;
	const mode = modeAt(lateness, timeMs, isLowest(ladder), isHalved(quality));
	noteDrawn(lateness, timeMs, expectedMs, lateFrom(quality), mode);
	if (ladder.fixed || ladder.level === 0) return false;
	if (lateness.share >= mode.fallAbove && fall(quality, timeMs)) return true;
	if (land(ladder, timeMs, lateness.gapMs)) {
		judgeAnew(lateness, timeMs, false);
		return true;
	}
	if (lateness.share > mode.climbBelow || period === 0 || !mayClimb(ladder, timeMs)) return false;
	climb(quality, timeMs);
	return true;
}

/** Gives the level up, unless fewer pixels would win nothing. Returns whether the level is another. */
function fall({ display, lateness, ladder, fenced }: Quality, timeMs: number): boolean {
	const { gapMs } = lateness;
	const slowed = slowedPeriod(display);
	if (slowed > 0 && !isOnProbation(ladder, timeMs)) {
		// A GPU that is never busy is not slow. Without a fence, a fall that changes nothing shows it.
		const vain = !fallsWhileSettling(ladder, timeMs) && isVain(ladder, gapMs);
		if (fenced || vain) {
			acceptPeriod(display, slowed);
			clearShare(lateness);
			if (!vain) return false;
			takeBack(ladder, timeMs);
			judgeAnew(lateness, timeMs, false);
			return true;
		}
	}
	if (isKept(ladder, gapMs)) return false;
	goDown(ladder, timeMs, gapMs);
	judgeAnew(lateness, timeMs, timeMs < lateness.alertUntil);
	return true;
}

/** Tries the next level at a time in ms. */
export function climb({ lateness, ladder }: Quality, timeMs: number): void {
	goUp(ladder, timeMs);
	judgeAnew(lateness, timeMs, true);
}
