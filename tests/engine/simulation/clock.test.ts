import { expect, test } from "vitest";
import { advanceClock, createClock } from "../../../engine/simulation/index.ts";

// Jitter of ±2 ms changes an interval by at most 0.24 ticks: the clock's slack is half a tick.
test.each<[string, (us: number, i: number) => number]>([
	["exact times", (us) => us],
	["whole milliseconds", (us) => Math.floor(us / 1000) * 1000],
	["2 ms of jitter", (us, i) => us + (((i * 7919) % 4001) - 2000)],
])("a 60 Hz display with %s gets one tick a frame", (_, stamp) => {
	const clock = createClock();
	const ticks = Array.from({ length: 36_000 }, (_, i) =>
		advanceClock(clock, stamp(Math.round(1_000_000 + (i * 1_000_000) / 60), i)),
	);
	expect(new Set(ticks.slice(1))).toEqual(new Set([1]));
});
