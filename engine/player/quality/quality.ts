/**
 * Adapts the picture to the device: frame times in, a level of a short ladder out.
 *
 *     frame ─► display ── period ─► lateness ── share ─► ladder ── level
 *
 * The smoothed share (EWMA) of late frames decides when the level changes:
 *
 *     share  1 ┤                       one frame in twelve is late (ten after a change): a level down
 *         0.08 ┼ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─
 *              │                       stay
 *         0.04 ┼ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─
 *            0 ┤                       hardly any frame is late, for a while: a level up
 *
 * At half rate and on the lowest levels, the thresholds are 0.35 and 0.12.
 *
 * A 120 Hz display draws every second frame, because more than 60 a second add only heat. Software
 * rendering draws 30, because sharp pixels matter more; saving power draws 30 as well.
 *
 * Nothing is allocated after `createQuality`.
 */
import { createDisplay, type Display, displayFramesPerDraw, noteDisplayFrame } from "./display.ts";
import {
	adjustLevel,
	climbLevel,
	createLadder,
	type DeviceHints,
	forgetDescent,
	forgetLevels,
	type Ladder,
	QUALITY_LEVELS,
	type QualityLevel,
} from "./ladder.ts";
import {
	ALERT_MODE,
	createLateness,
	type Lateness,
	type LatenessMode,
	noteDrawnFrame,
	PATIENT_MODE,
	STEADY_MODE,
} from "./lateness.ts";

export interface Quality {
	readonly display: Display;
	readonly lateness: Lateness;
	readonly ladder: Ladder;
	/** Whether a busy GPU is observable. If not, a slow GPU looks like a slow display. */
	readonly fenced: boolean;
	/** Without a GPU, pixels matter more than frames. */
	readonly software: boolean;
	sparing: boolean;
}

const HALF_RATE_MS = 2000 / 60;

/**
 * ms after which a frame is late at half rate. Twenty sharp frames a second look better than 30
 * blurred ones; 15 do not (seen).
 */
const HALVED_LATE_MS = 58;

/** How long a new level is on trial. */
const ALERT_MS = 5_000;

/**
 * @param fenced whether the renderer can tell when the GPU is busy
 * @param pixelRatio useful maximum of device pixels per CSS px
 * @param fixed pins the level
 */
export function createQuality(
	hints: DeviceHints,
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

export function levelOf({ ladder }: Quality): QualityLevel {
	return QUALITY_LEVELS[ladder.level];
}

/** Whether to draw 30 frames a second. */
function isHalved({ ladder, software, sparing }: Quality): boolean {
	return (software || sparing) && !ladder.fixed;
}

function everyOf(quality: Quality): number {
	return Math.max(levelOf(quality).every, isHalved(quality) ? HALF_RATE_MS : 0);
}

function lateFrom(quality: Quality): number {
	const { period } = quality.display;
	const frames = displayFramesPerDraw(quality.display, everyOf(quality));
	const least = Math.max(levelOf(quality).late, isHalved(quality) ? HALVED_LATE_MS : 0);
	return Math.max((frames + 0.5) * period, least);
}

function modeOf(quality: Quality, timeMs: number): LatenessMode {
	const isLowest = levelOf(quality).pixelRatio === QUALITY_LEVELS[0].pixelRatio;
	if (isLowest || isHalved(quality)) return PATIENT_MODE;
	return timeMs - quality.ladder.changedAt < ALERT_MS ? ALERT_MODE : STEADY_MODE;
}

export function setPowerSaving(quality: Quality, sparing: boolean): void {
	if (sparing === quality.sparing) return;
	quality.sparing = sparing;
	forgetDescent(quality.ladder);
	quality.lateness.share = 0;
}

export function isFrameDue(quality: Quality, timeMs: number): boolean {
	const { display, lateness, ladder, fenced } = quality;
	// Without a fence, the display's period can be measured only while nothing is drawn.
	if (!ladder.fixed && !fenced && display.period === 0) return false;
	if (lateness.drawnAt < 0) return true;
	const frames = displayFramesPerDraw(display, everyOf(quality));
	return timeMs - lateness.drawnAt >= (frames - 0.5) * display.period;
}

/** For the first frame after a pause, a hidden tab, a new scene or size. */
export function ignoreNextInterval({ display, lateness }: Quality): void {
	display.frameAt = -1;
	display.heard = 0;
	lateness.drawnAt = -1;
	lateness.share = 0;
}

/** For a window of another size or pixel ratio. */
export function resetQuality(quality: Quality, pixelRatio: number): void {
	ignoreNextInterval(quality);
	forgetLevels(quality.ladder, pixelRatio);
}

/** @returns whether the level changed */
export function noteFrame(quality: Quality, timeMs: number, drawn: boolean): boolean {
	const { display, lateness, ladder } = quality;
	if (ladder.changedAt < 0) ladder.changedAt = timeMs;
	noteDisplayFrame(display, timeMs);
	if (!drawn) return false;
	const mode = modeOf(quality, timeMs);
	const expectedMs = displayFramesPerDraw(display, everyOf(quality)) * display.period;
	noteDrawnFrame(lateness, timeMs, expectedMs, lateFrom(quality), mode.weight);
	const { share, gapMs } = lateness;
	if (ladder.fixed || ladder.level === 0 || display.period === 0) return false;
	const late = share >= mode.fallAbove;
	const verdict = late ? "late" : share <= mode.climbBelow ? "holds" : "unclear";
	const changed = adjustLevel(ladder, verdict, timeMs, gapMs);
	if (changed) lateness.share = 0;
	return changed;
}

/** For a device that could only draw a still picture. */
export function retryMotion({ lateness, ladder }: Quality, timeMs: number): void {
	climbLevel(ladder, timeMs);
	lateness.share = 0;
}
