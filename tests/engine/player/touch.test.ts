import { describe, expect, test } from "vitest";
import { fingerprint } from "../../../engine/simulation/fingerprint.ts";
import { restore } from "../../../engine/simulation/index.ts";
import { start } from "./player-by-hand.ts";

describe("the visitor's hand", () => {
	test("leans the picture with the pointer, in steps that no eye sees", () => {
		const { player, turn, drawn } = start();
		turn(30);
		player.set({ pointerX: 1, pointerY: -0.5 });
		turn(60);
		const leans = drawn.slice(30).map(({ leanX }) => leanX);
		expect(leans[0]).toBeLessThan(0.15);
		expect(leans).toEqual(leans.toSorted((a, b) => a - b));
		expect(drawn.at(-1)!.leanX).toBeCloseTo(1, 2);
		expect(drawn.at(-1)!.leanY).toBeCloseTo(-0.5, 2);
	});

	test.each([
		[{ taps: 1 }, 1],
		[{ breaths: 1 }, 1],
		[{ salutes: 1 }, 7 / 3],
	])("has the sphere breathe once at %o, %f deep", (hand, depth) => {
		const { player, turn, drawn } = start();
		turn(30);
		expect(drawn.at(-1)!.swell).toBe(0);
		player.set(hand);
		turn(240);
		const swells = drawn.slice(30).map(({ swell }) => swell);
		const deepest = swells.indexOf(Math.max(...swells));
		expect(swells[0]).toBeLessThan(0.25 * depth);
		expect(swells[deepest]).toBeGreaterThan(0.8 * depth);
		expect(swells[deepest]).toBeLessThanOrEqual(depth);
		const before = swells.slice(0, deepest);
		expect(before).toEqual(before.toSorted((a, b) => a - b));
		const after = swells.slice(deepest);
		expect(after).toEqual(after.toSorted((a, b) => b - a));
		expect(swells.at(-1)).toBeLessThan(0.02);
	});

	test.each([{ paused: true }, { still: true }])("moves nothing with %o", (quiet) => {
		const { player, turn, drawn } = start(quiet);
		turn(30);
		player.set({ pointerX: 1, pointerY: 1, taps: 3 });
		player.set({ quietZone: [0, 0, 10, 10] });
		turn(30);
		expect(drawn.length).toBeGreaterThan(1);
		for (const { leanX, leanY, swell } of drawn) expect([leanX, leanY, swell]).toEqual([0, 0, 0]);
	});

	test("leaves no trace in the simulation", () => {
		const { player, turn, stats } = start();
		for (let move = 0; move < 60; move++) {
			player.set({ pointerX: Math.sin(move), pointerY: Math.cos(move), taps: move });
			turn(2);
		}
		const { tick } = stats.at(-1)!;
		expect(tick).toBeGreaterThan(90);
		const untouched = restore({ seed: 1, inputs: [{ tick: 0, scene: "drift" }], tick });
		expect(stats.at(-1)!.fingerprint).toBe(fingerprint(untouched));
	});
});
