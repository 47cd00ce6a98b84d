import { describe, expect, test } from "vitest";
import type { PageState, PlayerSettings } from "../../../engine/messages.ts";
import { startPlayer } from "./player-by-hand.ts";

describe("a still picture", () => {
	test("stays where it was paused, redrawn at full resolution", () => {
		const { turn, player, drawn } = startPlayer();
		turn(100);
		player.set({ paused: true });
		turn(10);
		player.set({ width: 500 });
		turn(10);
		expect(drawn).toHaveLength(102);
		expect(drawn[100]?.time).toBe(drawn[99]?.time);
		expect(drawn[99]?.size).not.toBe("400 x 300 x 2");
		expect(drawn[100]?.size).toBe("400 x 300 x 2");
		expect(drawn[101]?.time).toBe(drawn[99]?.time);
		expect(drawn[101]?.size).toMatch(/^500 x/);
	});

	test.each<[string, Partial<PageState>, Partial<PlayerSettings>]>([
		["paused", { paused: true }, {}],
		["still set by the visitor", { still: true }, {}],
		["frozen at a tick", {}, { from: 321, frozen: true }],
	])("with %s has all pixels of a display of 3 per CSS px", (_, stopped, settings) => {
		const { turn, player, drawn } = startPlayer({ pixelRatio: 3 }, settings);
		turn(100);
		player.set(stopped);
		turn(100);
		expect(drawn.at(-1)?.size).toBe("400 x 300 x 3");
		if (settings.frozen) expect(drawn.map(({ time }) => time)).toEqual([321]);
	});

	test("is not redrawn if it already has all pixels", () => {
		const { turn, player, drawn } = startPlayer({ pixelRatio: 0.5 });
		turn(100);
		player.set({ paused: true });
		turn(100);
		expect(drawn).toHaveLength(100);
	});

	test("shows a good moment if nothing has played", () => {
		for (const given of [{ paused: true }, { still: true }]) {
			const { turn, drawn } = startPlayer(given);
			expect(turn(100)).toBe(2);
			expect(drawn).toHaveLength(1);
			expect(Math.floor(drawn[0]?.time ?? 0)).toBe(1500);
		}
	});

	test.each<[string, Partial<PageState>, Partial<PlayerSettings>]>([
		["paused", { paused: true }, {}],
		["of a slow device", {}, { level: 0 }],
	])("%s shows a good moment of each scene, at its time of day", (_, given, settings) => {
		const { turn, player, drawn } = startPlayer(given, settings);
		turn(10);
		player.set({ scene: "fireworks" });
		turn(10);
		expect(drawn).toHaveLength(2);
		expect(drawn[0]).toMatchObject({ night: 0, time: 1500.5 });
		expect(drawn[1]).toMatchObject({ night: 1, time: 1900.5 });
	});

	test("is never halfway between morning and night", () => {
		const { turn, player, drawn } = startPlayer();
		turn(10);
		player.set({ scene: "fireworks" });
		turn(20);
		expect(drawn.at(-1)?.night).toBeLessThan(0.9);
		player.set({ paused: true });
		turn(10);
		expect(drawn.at(-1)?.night).toBe(1);
	});
});

describe("nightfall", () => {
	/** Values of --dusk, read from Chromium every 200 ms. */
	const CHROMIUM = [0, 0.036162, 0.216912, 0.607797, 0.838455, 0.942399, 0.987823, 1];

	test("matches the sky's CSS transition from its first frame on, however late", () => {
		const { turn, player, drawn } = startPlayer();
		turn(10);
		player.set({ scene: "fireworks" });
		turn(1, 5000);
		turn(7, 200);
		const nights = drawn.slice(10).map(({ night }) => night);
		expect(nights).toEqual(CHROMIUM.map((night) => expect.closeTo(night, 5)));
	});

	// Measured: Chromium's reversed transition takes 574.324 ms.
	test.each([
		[570, expect.closeTo(0, 3)],
		[574.4, 0],
	])("reverses in the time already spent (%d ms)", (ms, night) => {
		const { turn, player, drawn } = startPlayer();
		turn(10);
		player.set({ scene: "fireworks" });
		turn(1);
		turn(1, 500);
		player.set({ scene: "drift" });
		turn(1);
		turn(1, ms);
		expect(drawn.slice(11).map(({ night }) => night)).toEqual([
			expect.closeTo(0.410231, 5),
			expect.closeTo(0.410231, 1),
			night,
		]);
	});
});

test("the first scene has its time of day at once", () => {
	const { turn, drawn, player } = startPlayer({ scene: "none" });
	player.set({ scene: "fireworks" });
	turn(1);
	expect(drawn[0]?.night).toBe(1);
});

test("dark mode brings dusk, with the sphere in place", () => {
	const { player, turn, drawn } = startPlayer({ dark: true });
	turn(2);
	expect(drawn[0]).toMatchObject({ night: 1, sunken: 0 });
	player.set({ dark: false });
	turn(40);
	expect(drawn.at(-1)!.night).toBeLessThan(0.9);
	turn(60);
	expect(drawn.at(-1)).toMatchObject({ night: 0, sunken: 0 });
	player.set({ dark: true, scene: "fireworks" });
	turn(100);
	expect(drawn.at(-1)).toMatchObject({ night: 1, sunken: 1 });
});
