import { describe, expect, test } from "vitest";
import { advanceDusk, createDusk, endDusk, turnTo } from "../../../engine/player/dusk.ts";

/** Night at these times after the first frame of the change. */
function follow(dusk: ReturnType<typeof createDusk>, startMs: number, times: number[]): number[] {
	advanceDusk(dusk, startMs);
	return times.map((time) => advanceDusk(dusk, startMs + time));
}

describe("night falls", () => {
	test("as the sky behind it does: values read from Chromium's transition of --dusk", () => {
		const dusk = createDusk(0);
		turnTo(dusk, 1, 0);
		const read = [0, 0.036162, 0.216912, 0.607797, 0.838455, 0.942399, 0.987823, 1];
		const ours = follow(dusk, 1000, [0, 200, 400, 600, 800, 1000, 1200, 1400]);
		for (const [index, night] of ours.entries()) expect(night).toBeCloseTo(read[index] ?? -1, 5);
	});

	test("from its first frame on, however late that is", () => {
		const dusk = createDusk(0);
		turnTo(dusk, 1, 0);
		expect(advanceDusk(dusk, 5000)).toBe(0);
		expect(advanceDusk(dusk, 5700)).toBeGreaterThan(0.5);
		expect(advanceDusk(dusk, 6400)).toBe(1);
	});

	test("back in the time it took, when it turns half-way", () => {
		const dusk = createDusk(0);
		turnTo(dusk, 1, 0);
		const [, half = 0] = follow(dusk, 0, [0, 500]);
		turnTo(dusk, 0, 500);
		expect(half).toBeCloseTo(0.410231, 5);
		// Chromium's transition back takes 574.324 ms.
		const later = follow(dusk, 500, [0, 570, 574.4]);
		expect(later[0]).toBe(half);
		expect(later[1]).toBeGreaterThan(0);
		expect(later[2]).toBe(0);
	});

	test("at once, when nothing may move", () => {
		const dusk = createDusk(0);
		turnTo(dusk, 1, 0);
		endDusk(dusk);
		expect(advanceDusk(dusk, 1)).toBe(1);
	});

	test("once", () => {
		const dusk = createDusk(1);
		turnTo(dusk, 1, 0);
		expect(advanceDusk(dusk, 0)).toBe(1);
	});
});
