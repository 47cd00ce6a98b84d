import { describe, expect, test } from "vitest";
import { type DrawnFrame, startPlayer } from "./player-by-hand.ts";

describe("floats", () => {
	const weak = { device: { memory: 1, cores: 1 }, backend: "page" } as const;
	const clarities = (drawn: readonly DrawnFrame[]) => drawn.map(({ clarity }) => clarity);

	test("show from the first frame on a fast device, at a fixed level, and while paused", () => {
		for (const [given, settings] of [
			[{}, {}],
			[{}, { ...weak, level: 1 }],
			[{ paused: true }, weak],
		] as const) {
			const { turn, drawn } = startPlayer(given, settings);
			turn(20);
			expect(new Set(clarities(drawn))).toEqual(new Set([1]));
		}
	});

	test("fade in on a slow device once there are enough pixels", () => {
		const { turn, drawn } = startPlayer({}, weak);
		turn(20);
		expect(clarities(drawn)).toEqual(drawn.map(() => 0));
		turn(200);
		const sharp = drawn.findIndex(({ size }) => !size.endsWith("x 0.4"));
		expect(sharp).toBeGreaterThan(20);
		expect(clarities(drawn.slice(0, sharp)).every((clarity) => clarity === 0)).toBe(true);
		const after = clarities(drawn.slice(sharp));
		expect(after[0]).toBeLessThan(0.1);
		expect(after).toEqual(after.toSorted((a, b) => a - b));
		expect(after.at(-1)).toBe(1);
	});

	test("fade in on a device known to stay slow", () => {
		const { turn, drawn } = startPlayer({}, weak);
		const playTo = (ms: number) => {
			for (let played = 0; played < ms; ) {
				const gapMs = drawn.at(-1)?.size.endsWith("x 0.4") ? 50 : 1000 / 60;
				turn(1, gapMs);
				played += gapMs;
			}
		};
		playTo(7_000);
		expect(new Set(clarities(drawn))).toEqual(new Set([0]));
		playTo(2_500);
		expect(drawn.at(-1)!.size).toMatch(/x 0\.[34]\d*$/);
		expect(drawn.at(-1)!.clarity).toBe(1);
	});
});
