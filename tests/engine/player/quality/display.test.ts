import { describe, expect, test } from "vitest";
import {
	createDisplay,
	framesPer,
	hearFrame,
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

describe("the period", () => {
	test("is learned from twelve intervals, as their median", () => {
		const mixed = [12, 1, 11, 2, 10, 3, 9, 4, 8, 5, 7, 6];
		expect(hear(0, mixed.slice(1)).period).toBe(0);
		expect(hear(0, mixed).period).toBe(7);
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
