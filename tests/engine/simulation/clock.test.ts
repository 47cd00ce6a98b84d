import { expect, test } from "vitest";
import { advance, createClock, MOST_TICKS, resetClock } from "../../../engine/simulation/index.ts";

/** Display frames in integer microseconds. */
function display(hz: number, frames: number): number[] {
	return Array.from({ length: frames }, (_, i) => Math.round(1_000_000 + (i * 1_000_000) / hz));
}

test("a 60 Hz display gets exactly one tick a frame", () => {
	const clock = createClock();
	const ticks = display(60, 36_000).map((us) => advance(clock, us));
	expect(new Set(ticks.slice(1))).toEqual(new Set([1]));
});

test("a 60 Hz display gets one tick a frame in whole milliseconds and with 2 ms of jitter", () => {
	const clock = createClock();
	const coarse = display(60, 6_000).map((us) => Math.floor(us / 1000) * 1000);
	expect(new Set(coarse.map((us) => advance(clock, us)).slice(1))).toEqual(new Set([1]));
	const shaken = createClock();
	const early = display(60, 6_000).map((us, i) => us + (((i * 7919) % 4001) - 2000));
	// From 2 ms early to 2 ms late is 0.24 ticks, less than the half tick of slack.
	expect(new Set(early.map((us) => advance(shaken, us)).slice(1))).toEqual(new Set([1]));
});

test("a stall yields 15 ticks; the rest is dropped and counted", () => {
	const clock = createClock();
	advance(clock, 0);
	expect(advance(clock, 5_000_000)).toBe(15);
	expect(clock.dropped).toBe(285);
	expect(MOST_TICKS).toBe(15);
});

test("after a reset the time away costs and drops nothing", () => {
	const clock = createClock();
	advance(clock, 0);
	advance(clock, 16_667);
	resetClock(clock);
	expect(advance(clock, 3_600_000_000)).toBe(0);
	expect(advance(clock, 3_600_016_667)).toBe(1);
	expect(clock.dropped).toBe(0);
});
