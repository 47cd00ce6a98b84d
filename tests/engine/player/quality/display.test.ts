/** What each constant of the display's period means: half of it or twice as much fails here. */
import { describe, expect, test } from "vitest";
import {
	createDisplay,
	framesPer,
	hearFrame,
	slowedPeriod,
	witness,
} from "../../../../engine/player/quality/display.ts";

/** A display with a known period that then has frames at these intervals. */
function hear(period: number, intervals: readonly number[], busy: readonly number[] = []) {
	const display = { ...createDisplay(), period };
	let now = 1000;
	hearFrame(display, now, false);
	for (const [index, interval] of intervals.entries()) {
		now += interval;
		hearFrame(display, now, busy.includes(index));
	}
	return display;
}

const steady = (interval: number, count = 12) => Array<number>(count).fill(interval);

describe("the period", () => {
	test("is learned from twelve intervals, as their median", () => {
		const mixed = [12, 1, 11, 2, 10, 3, 9, 4, 8, 5, 7, 6];
		expect(hear(0, mixed.slice(1)).period).toBe(0);
		expect(hear(0, mixed).period).toBe(7);
	});

	test.each([
		["follows at once what is shorter by a fifth", 7.9, 7.9],
		["follows what is a little shorter by a quarter", 8.1, 10 - 1.9 / 4],
		["follows what is a little longer by a quarter", 11.9, 10 + 1.9 / 4],
		["does not follow what is longer by a fifth", 12.1, 10],
	])("%s", (_, interval, period) => {
		expect(hear(10, steady(interval)).period).toBeCloseTo(period, 9);
	});

	test("is the page's, where that is shorter by a fifth", () => {
		const display = hear(10, []);
		witness(display, 8.1);
		expect(display).toMatchObject({ period: 10, witnessed: 8.1 });
		witness(display, 7.9);
		expect(display).toMatchObject({ period: 7.9, witnessed: 7.9 });
	});
});

test.each([
	[60, 60],
	[59.8, 59.8],
	[61, 61],
	[30, 30],
	[75, 75],
	[90, 45],
	[100, 50],
	[120, 60],
	[143, 71.5],
	[144, 72],
	[145, 72.5],
	[165, 55],
	[240, 60],
])("a display of %s Hz draws %s of 60 frames a second", (hertz, drawn) => {
	expect(hertz / framesPer(hear(1000 / hertz, []), 1000 / 60)).toBeCloseTo(drawn, 9);
});

test.each([
	[0, 1],
	[33, 1],
	[22, 2],
	[16.7, 2],
	[11.1, 3],
	[8.3, 4],
	[6.1, 5],
])("with a period of %s ms, 30 a second are one frame in %s", (period, frames) => {
	expect(framesPer(hear(period, []), 2000 / 60)).toBe(frames);
});

describe("a display has slowed", () => {
	const spread = (shortest: number, longest: number) => [
		...[shortest, shortest],
		...steady(20, 8),
		...[longest, longest],
	];

	test.each([
		["when all intervals are longer by more than a quarter", steady(12.6), 12.6],
		["but not by less", steady(12.4), 0],
		["but not before twelve are heard", steady(20, 11), 0],
		["when they differ by less than 0.3 of the median", spread(17.1, 23), 20],
		["but not by more", spread(16.9, 23), 0],
		["to their median", [...steady(19, 6), ...steady(21, 6)], 21],
		["whatever the shortest and the longest one are", [13, ...steady(20, 10), 60], 20],
	])("%s", (_, intervals, slowed) => {
		expect(slowedPeriod(hear(10, intervals))).toBeCloseTo(slowed, 9);
	});

	test("unless the GPU was busy within the last twelve frames", () => {
		expect(slowedPeriod(hear(10, steady(20, 24), [12]))).toBe(0);
		expect(slowedPeriod(hear(10, steady(20, 24), [11]))).toBeCloseTo(20, 9);
	});

	test("unless the page sees a period shorter by more than a quarter", () => {
		const display = hear(10, steady(12.6));
		display.witnessed = 10;
		expect(slowedPeriod(display)).toBe(0);
		display.witnessed = 10.2;
		expect(slowedPeriod(display)).toBeCloseTo(12.6, 9);
	});
});
