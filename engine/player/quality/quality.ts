/**
 * How much the device is asked to draw: frame times in, a rung of a short ladder out.
 *
 * What counts is the smoothed share of pictures that come late: a stall is one late picture, while
 * a slow device is late all the time. Late is judged by the display's own period, learned from its
 * frames, so that a display held at 30 Hz to save power is not mistaken for a slow device.
 *
 *     share  1 ┤                       late one time in twelve (ten after a climb): a rung down
 *         0.08 ┼ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─
 *              │                       stay
 *         0.04 ┼ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─
 *            0 ┤                       hardly ever late, for a while: a rung up
 *
 * On the lowest rungs, which have no pixels to give, a third of the time.
 *
 * No picture needs more than 60 frames a second, and heat is part of quality: a display of 120 or
 * 144 Hz gets a picture at every second of its frames.
 *
 * Whether the next rung can be held is only known by trying. It starts low and climbs quickly; a
 * rung that it fell from is left alone for two minutes, and for twice as long after each failure.
 *
 * Plain state and functions; nothing is allocated after `createQuality`.
 */
import type { Detail } from "../../render/renderer.ts";

/** A rung of the ladder. */
export interface Level {
	/** The most device pixels to draw for each CSS px. */
	readonly pixelRatio: number;
	readonly detail: Detail;
	/** ms from one picture to the next that it aims at; 0 is a still picture. */
	readonly every: number;
	/** ms from which a picture is late, however fast the display is. */
	readonly late: number;
}

const SIXTIETH = 1000 / 60;

/**
 * From a still picture to all there is. Pixels cost most, then vertices. Below a third of a device
 * pixel emoji are hard to tell (seen in screenshots); halving the rate comes last but one, as it is
 * what one sees most, and only where no more than half of the pictures come. What still makes eleven
 * pictures a second moves, and is better than a still one.
 */
export const LADDER: readonly Level[] = [
	{ pixelRatio: 1 / 3, detail: "coarse", every: 0, late: 0 },
	{ pixelRatio: 1 / 3, detail: "coarse", every: 2 * SIXTIETH, late: 90 },
	{ pixelRatio: 1 / 3, detail: "coarse", every: SIXTIETH, late: 40 },
	{ pixelRatio: 0.5, detail: "coarse", every: SIXTIETH, late: 20 },
	{ pixelRatio: 0.5, detail: "fine", every: SIXTIETH, late: 20 },
	{ pixelRatio: 0.75, detail: "fine", every: SIXTIETH, late: 20 },
	{ pixelRatio: 1, detail: "fine", every: SIXTIETH, late: 20 },
	{ pixelRatio: 1.5, detail: "fine", every: SIXTIETH, late: 20 },
	{ pixelRatio: 2, detail: "fine", every: SIXTIETH, late: 20 },
];

/** What is known of a device before it has drawn anything. It only says where to start. */
export interface Hints {
	/** GB, as browsers round it, where they tell. */
	memory?: number;
	cores?: number;
	/** The processor does the GPU's work. */
	software: boolean;
	/** Drawn on the page's thread, where every late frame is felt. */
	onPage: boolean;
}

/** What became of a frame of the display. */
export type Outcome =
	/** A picture was drawn. */
	| "drawn"
	/** A picture was due, but the GPU had not finished the last one. */
	| "busy"
	/** No picture was due. */
	| "passed";

/** How late pictures are judged. */
interface Temper {
	/** Shares of late pictures above which it falls, and below which it may climb. */
	readonly fallAbove: number;
	readonly climbBelow: number;
	/** Of one picture in the share; one that is very late, after a late one, weighs `most` times that. */
	readonly weight: number;
	readonly most: number;
}

/**
 * After a climb it is hasty, as a rung that is only just held would be lost a minute later. Once it
 * has settled it takes 38 late pictures in a row where none was late before, so that a second of
 * somebody else's work does not cost a rung. Pixels are given for the rate: one picture in twelve that
 * is late leaves 55 a second. The rate is given for nothing but a rate that is halved anyway.
 */
const HASTY: Temper = { fallAbove: 0.1, climbBelow: 0.05, weight: 1 / 60, most: 4 };
const CALM: Temper = { fallAbove: 0.08, climbBelow: 0.04, weight: 1 / 450, most: 8 };
const PATIENT: Temper = { fallAbove: 0.35, climbBelow: 0.12, weight: 1 / 90, most: 8 };
const HASTY_MS = 5_000;

/** After a change, new buffers and meshes disturb the next pictures: these many, within these ms. */
const DEAF_PICTURES = 5;
const DEAF_MS = [150, 400] as const;
/** A gap so long, in ms, is the page's or the system's doing, unless the next one is as long. */
const JANK_MS = 700;

/** ms without a change before a climb: few until it has settled, which it has after a failure. */
const REST_MS = { settling: 700, settled: 60_000 };
const SETTLING_MS = 8_000;
/** ms that it must stay on a rung for the climb to have succeeded. */
const TRIAL_MS = 30_000;
/** ms until a rung is tried again after a fall; when it starts, that may be the page's doing. */
const PATIENCE_MS = { settling: 3_000, first: 120_000, most: 64 * 60_000 };

/** Frames of the display that tell its period. */
const WINDOW = 12;

export interface Quality {
	/** Place in `LADDER`. */
	level: number;
	/** The highest rung that makes a difference on this display. */
	top: number;
	/** It stays where it is. */
	readonly fixed: boolean;
	/** Whether "busy" is told. Without it a slow GPU looks like a slow display. */
	readonly fenced: boolean;
	/** ms from one frame of the display to the next; 0 until learned. */
	period: number;
	/** The same as the page's thread sees it; 0 where nobody tells. */
	witnessed: number;
	/** Whether the latest picture was late, the smoothed share of those that are, and by whose measure. */
	late: boolean;
	share: number;
	temper: Temper;
	/** Times of the first and latest frame and of the latest picture, in ms; -1 when there is none. */
	startedAt: number;
	frameAt: number;
	drawnAt: number;
	/** Time of the latest change of the level. */
	changedAt: number;
	/** Time of that, or of anything else that disturbs the next pictures, and pictures since. */
	disturbedAt: number;
	drawn: number;
	/** Until when it is quick to fall. */
	hastyUntil: number;
	/** Time of the climb to this rung; -Infinity when it was not reached by climbing. */
	climbedAt: number;
	/** A climb has failed: what can be held is known. */
	settled: boolean;
	/** Whether the latest picture came after a gap that was overlooked. */
	overlooked: boolean;
	/** The display's steady period before the last fall, when the display may have been the cause. */
	suspect: number;
	/** For each rung: ms to wait after the next failure, and when it may be tried again. */
	readonly patience: Float64Array;
	readonly retryAt: Float64Array;
	/** The latest intervals of the display, in a ring; room to sort them; how many there were. */
	readonly intervals: Float64Array;
	readonly sorted: Float64Array;
	heard: number;
	/** Frames since one was busy, and busy frames since the latest picture. */
	sinceBusy: number;
	busy: number;
}

/**
 * A quality that has seen nothing.
 * @param fenced whether "busy" will be told
 * @param pixelRatio the most device pixels for each CSS px that there is a use for
 * @param fixed the rung to stay on
 */
export function createQuality(
	hints: Hints,
	fenced: boolean,
	pixelRatio: number,
	fixed?: number,
): Quality {
	const { memory = 8, cores = 8, software, onPage } = hints;
	const weak = software || memory <= 2 || cores <= 2;
	const top = topOf(pixelRatio);
	const start = Math.min(top, 5 - (weak ? 1 : 0) - (onPage ? 1 : 0));
	return {
		level: fixed === undefined ? start : Math.min(fixed, LADDER.length - 1),
		top,
		fixed: fixed !== undefined,
		fenced,
		period: 0,
		witnessed: 0,
		late: false,
		share: 0,
		temper: HASTY,
		startedAt: -1,
		frameAt: -1,
		drawnAt: -1,
		changedAt: 0,
		disturbedAt: 0,
		drawn: 0,
		hastyUntil: 0,
		climbedAt: Number.NEGATIVE_INFINITY,
		settled: false,
		overlooked: false,
		suspect: 0,
		patience: new Float64Array(LADDER.length).fill(PATIENCE_MS.first),
		retryAt: new Float64Array(LADDER.length),
		intervals: new Float64Array(WINDOW),
		sorted: new Float64Array(WINDOW),
		heard: 0,
		sinceBusy: 0,
		busy: 0,
	};
}

/** The first rung that draws all the pixels there are. */
function topOf(pixelRatio: number): number {
	const enough = LADDER.findIndex(
		(level) => level.detail === "fine" && level.pixelRatio >= pixelRatio,
	);
	return enough < 0 ? LADDER.length - 1 : enough;
}

/** The present rung. */
export function levelOf(quality: Quality): Level {
	return LADDER[quality.level];
}

/**
 * Without a fence, the display's period must be learned while nothing is drawn: until then, whether
 * to wait.
 */
export function isListening(quality: Quality): boolean {
	return !quality.fixed && !quality.fenced && quality.period === 0;
}

/** Whether a picture is due at a frame, as far as quality goes. */
export function isDue(quality: Quality, timeMs: number): boolean {
	if (quality.drawnAt < 0) return true;
	return timeMs - quality.drawnAt >= (framesPerPicture(quality) - 0.5) * quality.period;
}

/** Frames of the display from one picture to the next, as the level wants them. */
function framesPerPicture(quality: Quality): number {
	if (quality.period === 0) return 1;
	return Math.max(1, Math.floor(levelOf(quality).every / quality.period + 0.1));
}

/**
 * The page's thread tells the display's period in ms. A worker's frames alone do not: where the page
 * is put together without a GPU, they are held back until its last picture is on the display, and
 * a slow machine looks like a slow display.
 */
export function noteDisplay(quality: Quality, period: number): void {
	quality.witnessed = period;
	if (period < quality.period * 0.8) quality.period = period;
}

/** The next frames say nothing: after a pause, a hidden tab, a new scene or size. */
export function forgive(quality: Quality, timeMs: number): void {
	quality.frameAt = -1;
	quality.drawnAt = -1;
	quality.disturbedAt = timeMs;
	quality.drawn = 0;
	quality.heard = 0;
	quality.busy = 0;
	quality.late = false;
}

/** The picture has another size or pixel ratio: what was learned of the rungs is void. */
export function startOver(quality: Quality, pixelRatio: number, timeMs: number): void {
	forgive(quality, timeMs);
	quality.top = topOf(pixelRatio);
	if (!quality.fixed) quality.level = Math.min(quality.level, quality.top);
	quality.share = 0;
	quality.startedAt = -1;
	quality.settled = false;
	quality.climbedAt = Number.NEGATIVE_INFINITY;
	quality.patience.fill(PATIENCE_MS.first);
	quality.retryAt.fill(0);
}

/**
 * Takes note of a frame of the display.
 * @param timeMs the frame's timestamp
 * @returns whether the level is another than before
 */
export function noteFrame(quality: Quality, timeMs: number, outcome: Outcome): boolean {
	if (quality.startedAt < 0) {
		quality.startedAt = timeMs;
		quality.changedAt = timeMs;
		quality.disturbedAt = timeMs;
		quality.hastyUntil = timeMs + HASTY_MS;
	}
	if (quality.frameAt >= 0) hear(quality, timeMs - quality.frameAt);
	quality.frameAt = timeMs;
	if (outcome === "busy") {
		quality.busy++;
		quality.sinceBusy = 0;
	} else quality.sinceBusy++;
	if (outcome !== "drawn") return false;
	const gap = quality.drawnAt < 0 ? 0 : timeMs - quality.drawnAt;
	judge(quality, gap, timeMs);
	quality.drawnAt = timeMs;
	quality.drawn++;
	quality.busy = 0;
	if (quality.fixed || quality.level === 0) return false;
	return fallIfLate(quality, timeMs) || climbIfCalm(quality, timeMs);
}

/** Learns the display's period: at once when it is shorter, little by little when it wanders. */
function hear(quality: Quality, interval: number): void {
	quality.intervals[quality.heard % WINDOW] = interval;
	quality.heard++;
	if (quality.heard % WINDOW !== 0) return;
	const median = sortIntervals(quality)[WINDOW / 2];
	const { period } = quality;
	if (period === 0 || median < period * 0.8) quality.period = median;
	else if (median < period * 1.2) quality.period += (median - period) / 4;
}

function sortIntervals(quality: Quality): Float64Array {
	quality.sorted.set(quality.intervals);
	return quality.sorted.sort();
}

function isDeaf(quality: Quality, timeMs: number): boolean {
	const since = timeMs - quality.disturbedAt;
	return since < DEAF_MS[0] || (since < DEAF_MS[1] && quality.drawn < DEAF_PICTURES);
}

function judge(quality: Quality, gap: number, timeMs: number): void {
	const { period } = quality;
	if (gap === 0 || period === 0 || isDeaf(quality, timeMs)) return;
	// With busy frames in it, the gap is the GPU's.
	quality.overlooked = gap > JANK_MS && quality.busy === 0 && !quality.overlooked;
	if (quality.overlooked) return;
	const frames = framesPerPicture(quality);
	const late = gap > Math.max((frames + 0.5) * period, levelOf(quality).late);
	// A stall is one late picture, however long it was; a slow device has one after the other, or a
	// GPU that says that it is busy.
	const slow = quality.late || quality.busy > 0;
	const missed = slow ? Math.floor(gap / (frames * period)) - 1 : 1;
	const temper = temperOf(quality, timeMs);
	// What was little in haste may be much when calm.
	if (temper !== quality.temper) quality.share = Math.min(quality.share, temper.climbBelow);
	quality.temper = temper;
	const { weight, most } = temper;
	const weighs = weight * Math.min(most, Math.max(1, missed));
	quality.share += weighs * ((late ? 1 : 0) - quality.share);
	quality.late = late;
}

/** Pixels are given up in haste, the rate of pictures never. */
function temperOf({ level, hastyUntil }: Quality, timeMs: number): Temper {
	if (LADDER[level].pixelRatio === LADDER[0].pixelRatio) return PATIENT;
	return timeMs < hastyUntil ? HASTY : CALM;
}

function fallIfLate(quality: Quality, timeMs: number): boolean {
	const { level, share, climbedAt } = quality;
	if (share < temperOf(quality, timeMs).fallAbove) return false;
	const onTrial = timeMs - climbedAt < TRIAL_MS;
	const settling = isSettling(quality, timeMs + PATIENCE_MS.settling);
	const slowed = slowDisplay(quality);
	if (slowed > 0 && !onTrial) {
		// A GPU that is never busy is not slow. Without a fence, a fall that changes nothing tells.
		const helpless =
			!settling && quality.suspect > 0 && Math.abs(slowed - quality.suspect) < slowed / 10;
		if (quality.fenced || helpless) {
			quality.period = slowed;
			quality.share = 0;
			quality.suspect = 0;
			if (!helpless) return false;
			quality.retryAt[level + 1] = 0;
			return change(quality, level + 1, timeMs);
		}
	}
	quality.suspect = slowed;
	if (onTrial) {
		quality.settled = true;
		quality.retryAt[level] = timeMs + quality.patience[level];
		quality.patience[level] = Math.min(2 * quality.patience[level], PATIENCE_MS.most);
	} else
		quality.retryAt[level] = timeMs + (settling ? PATIENCE_MS.settling : quality.patience[level]);
	quality.climbedAt = Number.NEGATIVE_INFINITY;
	if (timeMs < quality.hastyUntil) quality.hastyUntil = timeMs + HASTY_MS;
	return change(quality, level - 1, timeMs);
}

/** Whether it still looks for its level: for a while, and until a climb fails. */
function isSettling(quality: Quality, timeMs: number): boolean {
	return !quality.settled && timeMs - quality.startedAt < SETTLING_MS;
}

/** The display's period when it is steady and longer than what was learned, or 0. */
function slowDisplay(quality: Quality): number {
	if (quality.heard < WINDOW || quality.sinceBusy < WINDOW) return 0;
	// All but one at each end, which may be chance.
	const sorted = sortIntervals(quality);
	const [shortest, median, longest] = [sorted[1], sorted[WINDOW / 2], sorted[WINDOW - 2]];
	const steady = longest - shortest < 0.3 * median;
	const alone = quality.witnessed > 0 && median > 1.25 * quality.witnessed;
	return steady && !alone && shortest > 1.25 * quality.period ? median : 0;
}

function climbIfCalm(quality: Quality, timeMs: number): boolean {
	const { level, top, share, retryAt, changedAt, period } = quality;
	if (level === top || share > temperOf(quality, timeMs).climbBelow || period === 0) return false;
	const rest = isSettling(quality, timeMs) ? REST_MS.settling : REST_MS.settled;
	if (timeMs - changedAt < rest || timeMs < retryAt[level + 1]) return false;
	return climb(quality, timeMs);
}

/** From a still picture there is no frame to judge by: when to try moving again, in ms. */
export function stillUntil(quality: Quality): number {
	return quality.retryAt[quality.level + 1];
}

/** Tries the next rung. */
export function climb(quality: Quality, timeMs: number): boolean {
	quality.climbedAt = timeMs;
	quality.hastyUntil = timeMs + HASTY_MS;
	quality.suspect = 0;
	return change(quality, quality.level + 1, timeMs);
}

function change(quality: Quality, level: number, timeMs: number): boolean {
	quality.level = level;
	quality.share = 0;
	quality.changedAt = timeMs;
	quality.disturbedAt = timeMs;
	quality.drawn = 0;
	quality.late = false;
	return true;
}
