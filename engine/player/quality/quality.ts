/**
 * Adapts the picture to the device: frame times in, a quality level out, judged once a second.
 *
 *       top ┤       ╭╮             ╭╮                       ╭──
 *           │     ╭─╯╰─╮         ╭─╯╰─╮                   ╭─╯
 *     start ┤ ────╯    ╰─────────╯    ╰───────────────────╯
 *           └──────────────┬─────┬─────────┬──────────────┬──── time
 *                        lands  +1 s     lands          +2 min, then 4, 8 …
 *
 * A good second raises the level. Bad seconds, with many late frames, lower it until one is good;
 * then it waits before it rises again. The first wait is short, because loading the page may have
 * made frames late. Each good second without a rise, up to three, forgives one bad second later.
 *
 * If fewer pixels do not raise the frame rate, as on a 30 Hz display, the level jumps to the top.
 * From then on, this frame rate is good. Every two minutes, one second with few pixels checks again.
 *
 * Draws at most 60 frames a second, or 30 in software and to save power.
 */
import {
	type DeviceHints,
	HALF_RATE,
	highestLevelFor,
	initialLevelFor,
	QUALITY_LEVELS,
	type QualityLevel,
} from "./ladder.ts";

export interface Quality {
	level: number;
	/** The highest level worth drawing on this display. */
	top: number;
	readonly fixed: boolean;
	readonly software: boolean;
	/** Whether to save power, with 30 frames a second. */
	sparing: boolean;
	/** Time of the last drawn frame in ms; -1 if the next interval does not count. */
	drawnAt: number;
	/** Frames of the current second, which is judged at its end. */
	readonly second: { ms: number; drawn: number; late: number };
	/** How many more bad seconds do not lower the level. */
	forgiven: number;
	/** Level from which the present descent started, or -1. */
	fellFrom: number;
	/** ms between frames at the level `fellFrom`. */
	fellAtGapMs: number;
	/** The frame interval in ms that fewer pixels did not shorten; 0 if unknown. */
	keptAtGapMs: number;
	retryAt: number;
	waitMs: number;
}

const LEAST_PIXELS = 2;
const LAST = QUALITY_LEVELS.length - 1;
const SECOND_MS = 1000;
const MOST_FORGIVEN = 3;
/** Longer gaps count as this long. Otherwise a single stall would fill the second that is judged. */
const STALL_MS = 250;
/** A frame may be drawn this many ms early, because display frames are never exactly on time. */
const EARLY_MS = 4;

/** ms until the level may rise after a descent. From the second wait on, waits double. */
const WAIT_MS = { first: 1_000, second: 120_000, most: 64 * 60_000 };

/** Frame intervals that differ by less than this factor count as equal. */
const DIFFERENT = 1.1;

const UNKNOWN = {
	forgiven: 0,
	fellFrom: -1,
	fellAtGapMs: 0,
	keptAtGapMs: 0,
	retryAt: 0,
	waitMs: WAIT_MS.first,
};

/**
 * @param pixelRatio useful maximum of device pixels per CSS px
 * @param fixed a level that never changes
 */
export function createQuality(hints: DeviceHints, pixelRatio: number, fixed?: number): Quality {
	const top = highestLevelFor(pixelRatio);
	return {
		level: fixed === undefined ? Math.min(initialLevelFor(hints), top) : Math.min(fixed, LAST),
		top,
		fixed: fixed !== undefined,
		software: hints.software,
		sparing: false,
		drawnAt: -1,
		second: { ms: 0, drawn: 0, late: 0 },
		...UNKNOWN,
	};
}

export function levelOf({ level }: Quality): QualityLevel {
	return QUALITY_LEVELS[level];
}

function rateOf(quality: Quality): typeof HALF_RATE {
	const level = levelOf(quality);
	const halved = (quality.software || quality.sparing) && !quality.fixed;
	return halved && level.every < HALF_RATE.every ? HALF_RATE : level;
}

export function isFrameDue(quality: Quality, timeMs: number): boolean {
	const { drawnAt } = quality;
	return drawnAt < 0 || timeMs - drawnAt >= rateOf(quality).every - EARLY_MS;
}

/** Call after a pause, a hidden tab, a scene change or a resize. */
export function ignoreNextInterval(quality: Quality): void {
	quality.drawnAt = -1;
	startSecond(quality);
}

/** Call after a large change of the window's size or pixel ratio. */
export function resetQuality(quality: Quality, pixelRatio: number): void {
	ignoreNextInterval(quality);
	Object.assign(quality, UNKNOWN);
	quality.top = highestLevelFor(pixelRatio);
	if (!quality.fixed) quality.level = Math.min(quality.level, quality.top);
}

/** @returns whether the level changed */
export function noteDrawnFrame(quality: Quality, timeMs: number): boolean {
	const { level, drawnAt, second } = quality;
	quality.drawnAt = timeMs;
	if (drawnAt < 0 || quality.fixed || level === 0) return false;
	const gapMs = timeMs - drawnAt;
	second.ms += Math.min(gapMs, STALL_MS);
	second.drawn++;
	if (gapMs > rateOf(quality).late) second.late++;
	if (second.ms < SECOND_MS) return false;
	judge(quality, timeMs);
	startSecond(quality);
	return quality.level !== level;
}

function startSecond({ second }: Quality): void {
	second.ms = 0;
	second.drawn = 0;
	second.late = 0;
}

function judge(quality: Quality, timeMs: number): void {
	const { second, level, top, keptAtGapMs, retryAt } = quality;
	const gapMs = second.ms / second.drawn;
	const slow = second.late > 1 + rateOf(quality).tolerance * second.drawn;
	const usual = gapMs < keptAtGapMs * DIFFERENT && keptAtGapMs < gapMs * DIFFERENT;
	if (slow && !usual) {
		if (--quality.forgiven < 0) fall(quality, level - 1, timeMs, gapMs);
	} else if (quality.fellFrom >= 0) land(quality, timeMs, gapMs, slow);
	else if (slow && timeMs >= retryAt) {
		// Time to check again whether fewer pixels raise the frame rate.
		quality.waitMs = WAIT_MS.first;
		fall(quality, LEAST_PIXELS, timeMs, gapMs);
	} else if (level < top && timeMs >= retryAt) setLevel(quality, level + 1);
	else quality.forgiven = Math.min(MOST_FORGIVEN, quality.forgiven + 1);
}

/** Level 1 forgives three bad seconds, because level 0 stops all motion for two minutes or more. */
function setLevel(quality: Quality, level: number): void {
	quality.level = level;
	quality.forgiven = level === 1 ? MOST_FORGIVEN : 0;
}

function fall(quality: Quality, level: number, timeMs: number, gapMs: number): void {
	if (quality.fellFrom < 0) {
		quality.fellFrom = quality.level;
		quality.fellAtGapMs = gapMs;
	}
	setLevel(quality, level);
	if (level > 0) return;
	quality.fellFrom = -1;
	quality.waitMs = Math.max(quality.waitMs, WAIT_MS.second);
	wait(quality, timeMs);
}

/**
 * Ends a descent. If fewer pixels did not raise the frame rate, the level goes to the top the first
 * time, and later back to where the descent started.
 */
function land(quality: Quality, timeMs: number, gapMs: number, slow: boolean): void {
	const { level, top, fellFrom, fellAtGapMs, keptAtGapMs } = quality;
	quality.fellFrom = -1;
	if (gapMs * DIFFERENT > fellAtGapMs) {
		quality.keptAtGapMs = fellAtGapMs;
		quality.retryAt = timeMs + WAIT_MS.second;
		setLevel(quality, keptAtGapMs === 0 && fellFrom > level + 1 ? top : fellFrom);
	} else if (!slow) wait(quality, timeMs);
}

function wait(quality: Quality, timeMs: number): void {
	quality.retryAt = timeMs + quality.waitMs;
	quality.waitMs = Math.min(WAIT_MS.most, Math.max(WAIT_MS.second, 2 * quality.waitMs));
}

/** Leaves level 0, the still picture. */
export function retryMotion(quality: Quality): void {
	setLevel(quality, 1);
}
