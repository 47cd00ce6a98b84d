/** What each constant of lateness means: half of it or twice as much fails here. */
import { describe, expect, test } from "vitest";
import {
	beginJudging,
	createLateness,
	judgeAnew,
	type Lateness,
	modeAt,
	noteBusy,
	noteDrawn,
} from "../../../../engine/player/quality/lateness.ts";

const EXPECTED_MS = 10;
const LATE_MS = 15;

/** Draws frames with these gaps, the first one at the start, and returns the time of the last. */
function draw(
	lateness: Lateness,
	startMs: number,
	gaps: readonly number[],
	lowest = false,
): number {
	let now = startMs;
	for (const gap of gaps) {
		now += gap;
		noteDrawn(lateness, now, EXPECTED_MS, LATE_MS, modeAt(lateness, now, lowest));
	}
	return now;
}

/** Lateness for which no frame is ignored any more, alert or not, whose latest frame was at 10,000. */
function settle(alert: boolean, lowest = false): Lateness {
	const lateness = createLateness();
	beginJudging(lateness, alert ? 9000 : 0);
	draw(lateness, 8000, Array<number>(200).fill(EXPECTED_MS), lowest);
	expect(lateness).toMatchObject({ share: 0, drawnAt: 10_000 });
	return lateness;
}

/** Frames with this gap until the mode says that the level falls. */
function untilFall(lateness: Lateness, gap: number, lowest = false): number {
	const { fallAbove } = modeAt(lateness, lateness.drawnAt, lowest);
	for (let frames = 1; ; frames++) {
		draw(lateness, lateness.drawnAt, [gap], lowest);
		if (lateness.share >= fallAbove) return frames;
	}
}

test.each([
	["alert, a level falls after 7 late frames in a row, or 3 very late ones", true, false, 7, 3],
	["later, after 38 late frames in a row, or 6 very late ones", false, false, 38, 6],
	["where there are no pixels to give, after 39, or 6", true, true, 39, 6],
])("%s", (_, alert, lowest, late, veryLate) => {
	expect(untilFall(settle(alert, lowest), 20, lowest)).toBe(late);
	expect(untilFall(settle(alert, lowest), 600, lowest)).toBe(veryLate);
});

test.each([
	["alert", true, false, 0.1, 0.05],
	["later", false, false, 0.08, 0.04],
	["where there are no pixels to give", true, true, 0.35, 0.12],
])("%s, so large a share is too large, and so small a share lets it climb", (_, ...words) => {
	const [alert, lowest, fallAbove, climbBelow] = words;
	const mode = modeAt(settle(alert, lowest), 10_000, lowest);
	expect(mode).toMatchObject({ fallAbove, climbBelow });
});

test("where pixels come before frames, a level falls after 78 late frames in a row, or 11 very late ones", () => {
	for (const [gap, frames] of [
		[20, 78],
		[600, 11],
	] as const) {
		const lateness = settle(true);
		let late = 0;
		do {
			const now = lateness.drawnAt + gap;
			noteDrawn(lateness, now, EXPECTED_MS, LATE_MS, modeAt(lateness, now, false, true));
			late++;
		} while (lateness.share < modeAt(lateness, 0, false, true).fallAbove);
		expect(late).toBe(frames);
	}
});

test("a share is no larger than lets it climb when another mode takes over", () => {
	const lateness = settle(true);
	draw(lateness, 10_000, Array<number>(6).fill(20));
	expect(lateness.share).toBeGreaterThan(0.09);
	lateness.alertUntil = 0;
	draw(lateness, lateness.drawnAt, [EXPECTED_MS]);
	expect(lateness.share).toBeCloseTo(0.04 * (1 - 1 / 450), 9);
});

test("it is alert for 5 s after the start and after a climb", () => {
	const lateness = createLateness();
	const isAlert = (timeMs: number) => modeAt(lateness, timeMs, false).weight === 1 / 60;
	beginJudging(lateness, 1000);
	expect([5999, 6000].map(isAlert)).toEqual([true, false]);
	judgeAnew(lateness, 20_000, false);
	expect(isAlert(20_000)).toBe(false);
	judgeAnew(lateness, 20_000, true);
	expect([24_999, 25_000].map(isAlert)).toEqual([true, false]);
});

describe("a late frame is ignored after a change", () => {
	/** Whether the last of these frames after a change at 10,000 counts. */
	const counts = (gaps: readonly number[]) => {
		const lateness = settle(false);
		judgeAnew(lateness, 10_000, false);
		draw(lateness, 10_000, gaps);
		return lateness.share > 0;
	};

	test("in the first 150 ms, however many frames there were", () => {
		expect(counts([...Array<number>(12).fill(10), 29])).toBe(false);
		expect(counts([...Array<number>(12).fill(10), 30])).toBe(true);
	});

	test("among the first five frames, within 400 ms", () => {
		expect(counts([74, 74, 74, 74, 74])).toBe(false);
		expect(counts([10, 10, 10, 10, 300])).toBe(false);
		expect(counts([10, 10, 10, 10, 10, 300])).toBe(true);
		expect(counts([399])).toBe(false);
		expect(counts([400])).toBe(true);
	});
});

describe("a gap of more than 0.7 s", () => {
	test.each([
		["is ignored", [701], false],
		["is a late frame when it is shorter", [700], true],
		["is not ignored after another one", [701, 701], true],
	])("%s", (_, gaps, late) => {
		const lateness = settle(false);
		draw(lateness, 10_000, gaps);
		expect(lateness.share > 0).toBe(late);
	});

	test("is not ignored when the GPU was busy", () => {
		const lateness = settle(false);
		noteBusy(lateness);
		draw(lateness, 10_000, [701]);
		expect(lateness.share).toBeCloseTo(8 / 450, 9);
	});
});

test("a stall is one late frame, a frame that follows a late one counts for all it missed", () => {
	const shareOf = (gaps: readonly number[]) => {
		const lateness = settle(false);
		draw(lateness, 10_000, gaps);
		return lateness.share;
	};
	expect(shareOf([300])).toBeCloseTo(1 / 450, 9);
	expect(shareOf([300, 10, 300])).toBeLessThan(2 / 450);
	const one = 1 / 450;
	expect(shareOf([20, 20])).toBeCloseTo(one + one * (1 - one), 9);
	expect(shareOf([20, 40])).toBeCloseTo(one + 3 * one * (1 - one), 9);
});
