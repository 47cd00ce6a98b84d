import { describe, expect, test } from "vitest";
import { fingerprint } from "../../../engine/simulation/fingerprint.ts";
import { restoreSimulation } from "../../../engine/simulation/index.ts";
import { startPlayer } from "./player-by-hand.ts";

describe("the visitor's pointer", () => {
	test("leans the picture in invisibly small steps", () => {
		const { player, turn, drawn } = startPlayer();
		turn(30);
		player.set({ pointerX: 1, pointerY: -0.5, pointing: true });
		turn(60);
		const leans = drawn.slice(30).map(({ parallaxX }) => parallaxX);
		expect(leans[0]).toBeLessThan(0.15);
		expect(leans).toEqual(leans.toSorted((a, b) => a - b));
		expect(drawn.at(-1)!.parallaxX).toBeCloseTo(1, 2);
		expect(drawn.at(-1)!.parallaxY).toBeCloseTo(-0.5, 2);
		player.set({ pointing: false });
		turn(60);
		expect(drawn.at(-1)!.parallaxX).toBeCloseTo(0, 2);
	});

	test("pushes floats at once where it arrives, then springs along and back", () => {
		const { player, turn, drawn } = startPlayer();
		turn(30);
		player.set({ pointerX: 0.5, pointerY: 0.5, pointing: true });
		turn(60);
		const came = drawn.slice(30);
		for (const { pointerX, pointerY } of came) expect([pointerX, pointerY]).toEqual([0.5, 0.5]);
		expect(came[0]!.pointer).toBeLessThan(0.2);
		expect(Math.max(...came.map(({ pointer }) => pointer))).toBeGreaterThan(1.05);
		expect(came.at(-1)!.pointer).toBe(1);

		player.set({ pointerX: -0.5 });
		turn(60);
		const places = drawn.slice(90).map(({ pointerX }) => pointerX);
		expect(places[0]).toBeGreaterThan(0.3);
		expect(Math.min(...places)).toBeLessThan(-0.55);
		expect(places.at(-1)).toBe(-0.5);

		player.set({ pointing: false });
		turn(60);
		const went = drawn.slice(150);
		expect(Math.min(...went.map(({ pointer }) => pointer))).toBeLessThan(-0.05);
		expect(went.at(-1)).toMatchObject({ pointer: 0, pointerX: -0.5, pointerY: 0.5 });
	});

	test("turns the silk with a finger, and on for a while after it lifts", () => {
		const { player, turn, drawn } = startPlayer({ turned: 3 });
		turn(30);
		expect(drawn.at(-1)!.turn).toBe(0);
		for (let move = 1; move <= 12; move++) {
			player.set({ turned: 3 + move / 24, pointing: true });
			turn(1);
		}
		const left = drawn.at(-1)!.turn;
		player.set({ pointing: false });
		turn(240);
		const turns = drawn.slice(30).map((picture) => picture.turn);
		expect(turns).toEqual(turns.toSorted((a, b) => a - b));
		expect(turns.at(-1)).toBeCloseTo(1.2, 2);
		expect(left).toBeLessThan(0.5);
		expect(drawn.at(-1)!.turn).toBe(drawn.at(-2)!.turn);
	});

	test("never cuts a deep breath short by a tap or a key", () => {
		const { player, turn, drawn } = startPlayer();
		turn(30);
		player.set({ hits: 1 });
		for (let key = 1; key < 80; key++) {
			player.set({ keys: key, taps: Math.floor(key / 20) });
			turn(1);
		}
		const swells = drawn.slice(30).map(({ swell }) => swell);
		expect(Math.max(...swells)).toBeGreaterThan(2);
		for (const [i, swell] of swells.entries()) {
			expect(Math.abs(swell - (swells[i - 1] ?? 0)), `frame ${i}`).toBeLessThan(0.45);
		}
	});

	test.each([
		[{ taps: 1 }, 1],
		[{ breaths: 1 }, 1],
		[{ keys: 1 }, 1 / 3],
		[{ hits: 1 }, 7 / 3],
	])("makes the sphere breathe once at %o, %f deep", (change, depth) => {
		const { player, turn, drawn } = startPlayer();
		turn(30);
		expect(drawn.at(-1)!.swell).toBe(0);
		player.set(change);
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
		const { player, turn, drawn } = startPlayer(quiet);
		turn(30);
		player.set({ pointerX: 1, pointerY: 1, pointing: true, turned: 1, taps: 3, keys: 3 });
		player.set({ quietZone: [0, 0, 10, 10] });
		turn(30);
		expect(drawn.length).toBeGreaterThan(1);
		for (const picture of drawn) {
			expect(picture).toMatchObject({ parallaxX: 0, parallaxY: 0, swell: 0, pointer: 0, turn: 0 });
		}
	});

	test("leaves no trace in the simulation", () => {
		const { player, turn, stats } = startPlayer();
		for (let move = 0; move < 60; move++) {
			const [pointerX, pointerY] = [Math.sin(move), Math.cos(move)];
			player.set({ pointerX, pointerY, pointing: true, turned: pointerX, taps: move, keys: move });
			turn(2);
		}
		const { tick } = stats.at(-1)!;
		expect(tick).toBeGreaterThan(90);
		const untouched = restoreSimulation({ seed: 1, inputs: [{ tick: 0, scene: "drift" }], tick });
		expect(stats.at(-1)!.fingerprint).toBe(fingerprint(untouched));
	});
});
