import { describe, expect, test } from "vitest";
import { advanceDusk, createDusk, endDusk, turnTo } from "../../../engine/player/dusk.ts";

function follow(dusk: ReturnType<typeof createDusk>, startMs: number, times: number[]): number[] {
	advanceDusk(dusk, startMs);
	return times.map((time) => advanceDusk(dusk, startMs + time));
}

describe("nightfall", () => {
	test("matches the sky's CSS transition: values read from Chromium's --dusk", () => {
		const dusk = createDusk(0);
		turnTo(dusk, 1, 0);
		const read = [0, 0.036162, 0.216912, 0.607797, 0.838455, 0.942399, 0.987823, 1];
		const ours = follow(dusk, 1000, [0, 200, 400, 600, 800, 1000, 1200, 1400]);
		for (const [index, night] of ours.entries()) expect(night).toBeCloseTo(read[index] ?? -1, 5);
	});

	test("starts at its first frame, however late", () => {
		const dusk = createDusk(0);
		turnTo(dusk, 1, 0);
		expect(advanceDusk(dusk, 5000)).toBe(0);
		expect(advanceDusk(dusk, 5700)).toBeGreaterThan(0.5);
		expect(advanceDusk(dusk, 6400)).toBe(1);
	});

	test("reverses in the time already spent", () => {
		const dusk = createDusk(0);
		turnTo(dusk, 1, 0);
		const [, half = 0] = follow(dusk, 0, [0, 500]);
		turnTo(dusk, 0, 500);
		expect(half).toBeCloseTo(0.410231, 5);
		// Measured: Chromium's reversed transition takes 574.324 ms.
		const later = follow(dusk, 500, [0, 570, 574.4]);
		expect(later[0]).toBe(half);
		expect(later[1]).toBeGreaterThan(0);
		expect(later[2]).toBe(0);
	});

	test("is immediate while motion is off", () => {
		const dusk = createDusk(0);
		turnTo(dusk, 1, 0);
		endDusk(dusk);
		expect(advanceDusk(dusk, 1)).toBe(1);
	});

	test("happens once", () => {
		const dusk = createDusk(1);
		turnTo(dusk, 1, 0);
		expect(advanceDusk(dusk, 0)).toBe(1);
	});
});
