import { expect, test } from "vitest";
import { advance, createClock, MOST_TICKS, resetClock } from "../../../engine/simulation/index.ts";

/** Frames of a display, in integer microseconds. */
function display(hz: number, frames: number): number[] {
	return Array.from({ length: frames }, (_, i) => Math.round(1_000_000 + (i * 1_000_000) / hz));
}

test("the first frame brings no tick", () => {
	expect(advance(createClock(), 123_456_789)).toBe(0);
});

test("a display of 60 Hz gets exactly one tick a frame", () => {
	const clock = createClock();
	const ticks = display(60, 36_000).map((us) => advance(clock, us));
	expect(new Set(ticks.slice(1))).toEqual(new Set([1]));
});

test("a display of 60 Hz gets one tick a frame in whole milliseconds and with 2 ms of jitter, too", () => {
	const clock = createClock();
	const coarse = display(60, 6_000).map((us) => Math.floor(us / 1000) * 1000);
	expect(new Set(coarse.map((us) => advance(clock, us)).slice(1))).toEqual(new Set([1]));
	const shaken = createClock();
	const early = display(60, 6_000).map((us, i) => us + (((i * 7919) % 4001) - 2000));
	// 2 ms early, then 2 ms late, are 0.24 ticks: less than the half tick of slack.
	expect(new Set(early.map((us) => advance(shaken, us)).slice(1))).toEqual(new Set([1]));
});

test.each([24, 30, 59.94, 75, 90, 120, 144, 240])("an hour at %d Hz is 216,000 ticks", (hz) => {
	const clock = createClock();
	const frames = display(hz, Math.round(3600 * hz) + 1);
	const ticks = frames.reduce((sum, us) => sum + advance(clock, us), 0);
	const exact = ((frames.at(-1)! - frames[0]!) * 60) / 1_000_000;
	expect(ticks).toBe(Math.floor(exact + 0.5));
	expect(clock.dropped).toBe(0);
});

test("a stall brings 15 ticks and the rest is dropped and counted", () => {
	const clock = createClock();
	advance(clock, 0);
	expect(advance(clock, 5_000_000)).toBe(15);
	expect(clock.dropped).toBe(285);
	expect(MOST_TICKS).toBe(15);
});

test("a stall of a thousand years is counted exactly", () => {
	const clock = createClock();
	advance(clock, 0);
	advance(clock, 2 ** 53 - 1);
	expect(clock.dropped + MOST_TICKS).toBe(
		Number((BigInt(2 ** 53 - 1) * 60n + 500_000n) / 1_000_000n),
	);
});

test("time that runs backwards brings no ticks, then or later", () => {
	const clock = createClock();
	advance(clock, 1_000_000);
	expect(advance(clock, 927_000)).toBe(0);
	expect(advance(clock, 1_000_000)).toBe(0);
	expect(advance(clock, 1_016_667)).toBe(1);
});

test("after a reset the time away costs nothing and drops nothing", () => {
	const clock = createClock();
	advance(clock, 0);
	advance(clock, 16_667);
	resetClock(clock);
	expect(advance(clock, 3_600_000_000)).toBe(0);
	expect(advance(clock, 3_600_016_667)).toBe(1);
	expect(clock.dropped).toBe(0);
});

test("the fraction tells how far the next tick is", () => {
	const clock = createClock();
	advance(clock, 0);
	expect(clock.fraction).toBe(0.5);
	expect(advance(clock, 5_000)).toBe(0);
	expect(clock.fraction).toBeCloseTo(0.8, 12);
	expect(advance(clock, 10_000)).toBe(1);
	expect(clock.fraction).toBeCloseTo(0.1, 12);
});

test.each([Number.NaN, -1, 0.5, Number.POSITIVE_INFINITY, 2 ** 53])("%d is no time", (time) => {
	expect(() => advance(createClock(), time)).toThrow(/The time is .* integer of microseconds/);
});
