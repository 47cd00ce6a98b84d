import { afterEach, describe, expect, test, vi } from "vitest";
import { QUALITY_LEVELS } from "../../../engine/player/quality/ladder.ts";
import { startPlayer } from "./player-by-hand.ts";

afterEach(() => {
	vi.useRealTimers();
});

test("any number of short pauses costs no pixels", () => {
	const { turn, player, drawn } = startPlayer();
	turn(1200);
	for (let pause = 0; pause < 80; pause++) {
		player.set({ seen: false });
		turn(30);
		player.set({ seen: true });
		turn(4);
	}
	expect(drawn.at(-1)?.size).toBe("400 x 300 x 2");
});

test("a changed pixel ratio takes effect", () => {
	const { turn, player, drawn, stats, said } = startPlayer({ pixelRatio: 1 });
	turn(600);
	player.set({ pixelRatio: 2 });
	turn(1200);
	expect(drawn.at(-1)?.size).toBe("400 x 300 x 2");
	player.set({ pixelRatio: 1 });
	turn(600);
	expect(drawn.at(-1)?.size).toBe("400 x 300 x 1");
	expect(stats.at(-1)?.level).toBe(QUALITY_LEVELS.findIndex(({ pixelRatio }) => pixelRatio === 1));
	expect(said).toEqual(["shown"]);
});

test("page zoom keeps the number of device pixels, with more per CSS px", () => {
	const { turn, player, drawn } = startPlayer({ width: 400, height: 300, pixelRatio: 1 });
	turn(600);
	player.set({ width: 200, height: 150, pixelRatio: 2 });
	turn(1200);
	expect(drawn.at(-1)?.size).toBe("200 x 150 x 2");
});

describe("the history of a slow device", () => {
	/** A device that was too slow for more than 1 device pixel per CSS px, and now is fast. */
	function startSlow() {
		const game = startPlayer();
		for (let frame = 0; frame < 1800; frame++) {
			const { length } = game.drawn;
			game.turn(1);
			const ratio = Number(game.drawn.at(-1)?.size.split(" x ")[2]);
			game.setBusy(game.drawn.length > length && ratio > 1);
		}
		game.setBusy(false);
		game.turn(60);
		expect(game.drawn.at(-1)?.size).toBe("400 x 300 x 1");
		return game;
	}

	test("survives 10 s and more, even while the canvas is hidden", () => {
		const { turn, player, drawn } = startSlow();
		turn(600);
		player.set({ width: 0, height: 0 });
		turn(10);
		player.set({ width: 400, height: 300 });
		turn(600);
		expect(drawn.at(-1)?.size).toBe("400 x 300 x 1");
	});

	test("is void once the canvas has shrunk by half, at once or gradually", () => {
		for (const steps of [1, 100]) {
			const { turn, player, drawn } = startSlow();
			for (let step = 1; step <= steps; step++) {
				player.set({ width: 400 - (200 / steps) * step });
				turn(1);
			}
			turn(600);
			expect(drawn.at(-1)?.size).toBe("200 x 300 x 2");
		}
	});
});

test("a fixed level holds on any device", () => {
	const { turn, drawn, setBusy } = startPlayer({}, { level: 8 });
	turn(5);
	for (let picture = 0; picture < 50; picture++) {
		setBusy(true);
		turn(10);
		setBusy(false);
		turn(1);
	}
	expect(new Set(drawn.map(({ size }) => size))).toEqual(new Set(["400 x 300 x 2"]));
});

describe("a device that cannot draw moving pictures", () => {
	/** Draws pictures that take 0.3 s each until none is requested. */
	function exhaust({ turn, setBusy }: ReturnType<typeof startPlayer>, most = 300): void {
		for (let picture = 0; picture < most; picture++) {
			setBusy(true);
			const asked = turn(17);
			setBusy(false);
			if (asked + turn(1) === 0) return;
		}
	}

	test("gets a still picture at full resolution, with ever rarer retries", () => {
		vi.useFakeTimers();
		const game = startPlayer({ pixelRatio: 1 });
		const minutes: number[] = [];
		for (let fall = 0; fall < 6; fall++) {
			exhaust(game);
			expect(game.stats.at(-1)?.level).toBe(0);
			expect(game.drawn.at(-1)?.size).toBe("400 x 300 x 1");
			expect(game.drawn.at(-2)?.size).toMatch(/^400 x 300 x 0.33/);
			const before = Date.now();
			vi.advanceTimersToNextTimer();
			const waited = Date.now() - before;
			minutes.push(Math.round(waited / 60_000));
			expect(game.turn(1, waited)).toBe(1);
		}
		expect(minutes).toEqual([2, 4, 8, 16, 32, 64]);
		exhaust(game);
		game.player.destroy();
		expect(vi.getTimerCount()).toBe(0);
	});

	test("never stays halfway between morning and night", () => {
		vi.useFakeTimers();
		// Depending on `more`, the level drops to 0 before, during or after the change to night.
		const nights = Array.from({ length: 10 }, (_, more) => {
			const game = startPlayer({ pixelRatio: 1 });
			exhaust(game, 10 + more);
			game.player.set({ scene: "fireworks" });
			exhaust(game);
			return game.drawn.at(-1)?.night;
		});
		expect(nights).toEqual(nights.map(() => 1));
	});
});

test.each([
	["a phone has at most two of its three", 390, 844, 3, 2],
	["a large display has at most those of 2560 x 1440", 3840, 2160, 2, 2 / 3],
	["a window zoomed twice has all", 720, 450, 2, 2],
	["a window zoomed four times has all", 360, 225, 4, 4],
	["a window zoomed five times has all", 288, 180, 5, 5],
])("%s device pixels per CSS px", (_, width, height, pixelRatio, expected) => {
	const { turn, stats } = startPlayer({ width, height, pixelRatio });
	turn(600);
	expect(stats.at(-1)?.pixelRatio).toBeCloseTo(expected, 9);
});

test("saving power draws half of the frames", () => {
	const { turn, drawn, player } = startPlayer({ sparing: true });
	const drawnIn = (frames: number) => {
		const { length } = drawn;
		turn(frames);
		return drawn.length - length;
	};
	turn(120);
	expect(drawnIn(60)).toBe(30);
	player.set({ sparing: false });
	turn(1);
	expect(drawnIn(60)).toBe(60);
});
