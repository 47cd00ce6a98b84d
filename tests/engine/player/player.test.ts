/** The player on a surface without pixels. The tests give its frames by hand. */

import { afterEach, describe, expect, test, vi } from "vitest";
import { LOOKS } from "../../../bench/harness/looks.ts";
import { SCENARIOS } from "../../../bench/harness/scenarios.ts";
import type { Facts, PlayerSettings, Stats } from "../../../engine/messages.ts";
import { createPlayer } from "../../../engine/player/player.ts";
import { LADDER } from "../../../engine/player/quality/ladder.ts";
import type { Surface } from "../../../engine/player/surface.ts";
import { fingerprint } from "../../../engine/simulation/fingerprint.ts";
import { restore, step } from "../../../engine/simulation/index.ts";
import type { Input } from "../../../engine/simulation/runs.ts";

const facts: Facts = {
	scene: "drift",
	paused: false,
	still: false,
	salutes: 0,
	quietZone: [],
	width: 400,
	height: 300,
	pixelRatio: 2,
	seen: true,
	pointerX: 0,
	pointerY: 0,
	taps: 0,
};

interface Drawn {
	time: number;
	night: number;
	size: string;
	quietZone: ArrayLike<number>;
	leanX: number;
	leanY: number;
	swell: number;
	clarity: number;
}

function start(given: Partial<Facts> = {}, settings: Partial<PlayerSettings> = {}) {
	const drawn: Drawn[] = [];
	const said: string[] = [];
	const stats: Stats[] = [];
	let lost: (timeMs: number) => void = () => {};
	let returned: () => void = () => {};
	let busy = false;
	let renderers = 0;
	let broken = false;
	let gone = false;
	let forgotten = 0;
	const surface: Surface = {
		software: false,
		pace: {
			fenced: true,
			isFree: () => !busy,
			mark() {},
			forget() {
				forgotten++;
			},
		},
		createRenderer() {
			if (gone) throw new Error("gone");
			renderers++;
			let size = "";
			let quietZone: ArrayLike<number> = [];
			return {
				drawCalls: 2,
				resize(width, height, pixelRatio) {
					size = `${width} x ${height} x ${pixelRatio}`;
				},
				setQuietZone(rectangles) {
					quietZone = rectangles;
				},
				draw({ time, night, leanX, leanY, swell, clarity }) {
					if (broken) throw new Error("spoilt");
					drawn.push({ time, night, size, quietZone, leanX, leanY, swell, clarity });
				},
				destroy() {
					renderers--;
				},
			};
		},
		isLost: () => gone,
		watch(onLost, onReturned) {
			[lost, returned] = [onLost, onReturned];
			return () => said.push("unwatched");
		},
		destroy: () => said.push("gave the context back"),
	};
	const told = { ...facts, ...given };
	let callback: ((timeMs: number) => void) | undefined;
	let now = 1000;
	const player = createPlayer(
		surface,
		{ backend: "worker", looks: LOOKS, seed: 1, stats: true, device: {}, ...settings },
		told,
		{
			shown: (shown) => said.push(shown ? "shown" : "gone"),
			stats: (report) => stats.push(report),
			failed: (reason, final) => said.push(`${final ? "given up" : "failed"}: ${reason}`),
		},
		{
			request(next) {
				expect(callback).toBeUndefined();
				callback = next;
				return 7;
			},
			cancel(id) {
				expect(id).toBe(7);
				callback = undefined;
			},
		},
	);
	return {
		player,
		told,
		drawn,
		said,
		stats,
		/** Gives so many frames, if they are asked for, and returns how many were. */
		turn(frames: number, everyMs = 1000 / 60): number {
			let asked = 0;
			for (let frame = 0; frame < frames; frame++) {
				now += everyMs;
				const current = callback;
				callback = undefined;
				if (current) asked++;
				current?.(now);
			}
			return asked;
		},
		setBusy(value: boolean) {
			busy = value;
		},
		break() {
			broken = true;
		},
		lose: () => lost(now),
		/** Gives the context back, or only says so when it is lost again already. */
		restore(again = false) {
			gone = again;
			returned();
		},
		renderers: () => renderers,
		/** How often the pace was told that what was drawn is lost. */
		forgotten: () => forgotten,
	};
}

afterEach(() => {
	vi.useRealTimers();
});

describe("a salute", () => {
	/** The run of seed 1 with these changes, as far as the player has come. */
	const runWith = (changes: readonly Input[], stats: readonly Stats[]) => {
		const { tick } = stats.at(-1)!;
		return fingerprint(
			restore({ seed: 1, inputs: [{ tick: 0, scene: "drift" }, ...changes], tick }),
		);
	};

	test("is rockets in the run, from the tick at which it was requested", () => {
		const { player, turn, stats } = start();
		turn(30);
		const { tick } = player.pulse();
		player.set({ salutes: 1 });
		turn(90);
		const changes = [
			{ tick, scene: "both" },
			{ tick: tick + 1, scene: "drift" },
		] as const;
		expect(stats.at(-1)!.fingerprint).toBe(runWith(changes, stats));
		expect(stats.at(-1)!.fingerprint).not.toBe(runWith([], stats));
	});

	test.each([{ paused: true }, { still: true }, { seen: false }])(
		"is dropped, and not made up for, with %o",
		(quiet) => {
			const { player, turn, stats } = start();
			turn(30);
			player.set(quiet);
			player.set({ salutes: 1 });
			player.set({ paused: false, still: false, seen: true });
			turn(90);
			expect(stats.at(-1)!.fingerprint).toBe(runWith([], stats));
		},
	);

	test("that was requested before the first frame is dropped", () => {
		const { turn, stats } = start({ salutes: 2 });
		turn(60);
		expect(stats.at(-1)!.fingerprint).toBe(runWith([], stats));
	});

	test("turns no sky to night", () => {
		const { player, turn, drawn } = start();
		turn(30);
		player.set({ salutes: 1 });
		turn(60);
		expect(drawn.at(-1)!.night).toBe(0);
	});
});

describe("emoji", () => {
	const weak = { device: { memory: 1, cores: 1 }, backend: "page" } as const;
	const clarities = (drawn: readonly Drawn[]) => drawn.map(({ clarity }) => clarity);

	test("are there from the first frame where they are sharp, on a fixed level, and at rest", () => {
		for (const [given, settings] of [
			[{}, {}],
			[{}, { ...weak, level: 1 }],
			[{ paused: true }, weak],
		] as const) {
			const { turn, drawn } = start(given, settings);
			turn(20);
			expect(new Set(clarities(drawn))).toEqual(new Set([1]));
		}
	});

	test("of a slow device come in when there are pixels enough", () => {
		const { turn, drawn } = start({}, weak);
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

	test("of a device that stays slow come in when that is known", () => {
		const { turn, drawn } = start({}, weak);
		// One frame in three is late, so that no level above is tried, until eight seconds have passed.
		const playTo = (ms: number) => {
			for (let played = 0; played < ms; played += 250 / 3) {
				turn(2);
				turn(1, 50);
			}
		};
		playTo(7_000);
		expect(new Set(clarities(drawn))).toEqual(new Set([0]));
		playTo(2_500);
		expect(drawn.at(-1)!.size).toMatch(/x 0\.[34]\d*$/);
		expect(drawn.at(-1)!.clarity).toBe(1);
	});
});

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

	test.each([{ taps: 1 }, { salutes: 1 }])("has the sphere breathe once at %o", (hand) => {
		const { player, turn, drawn } = start();
		turn(30);
		expect(drawn.at(-1)!.swell).toBe(0);
		player.set(hand);
		turn(240);
		const swells = drawn.slice(30).map(({ swell }) => swell);
		const deepest = swells.indexOf(Math.max(...swells));
		expect(swells[0]).toBeLessThan(0.25);
		expect(swells[deepest]).toBeGreaterThan(0.8);
		expect(swells[deepest]).toBeLessThanOrEqual(1);
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

test("60 frames bring 60 ticks less the first, which has nothing before it", () => {
	const { turn, drawn } = start();
	expect(turn(61)).toBe(61);
	expect(drawn.length).toBe(61);
	expect(Math.floor(drawn[60]?.time ?? 0)).toBe(60);
});

test("a frame counts as shown when the GPU has finished it, not when it is drawn", () => {
	const { turn, said, setBusy } = start();
	turn(1);
	setBusy(true);
	turn(5);
	expect(said).toEqual([]);
	setBusy(false);
	turn(1);
	expect(said).toEqual(["shown"]);
});

test("nothing is drawn while the GPU is busy, and time goes on", () => {
	const { turn, drawn, setBusy } = start();
	turn(10);
	setBusy(true);
	expect(turn(5)).toBe(5);
	expect(drawn.length).toBe(10);
	setBusy(false);
	turn(1);
	expect((drawn[10]?.time ?? 0) - (drawn[9]?.time ?? 0)).toBeCloseTo(6, 6);
});

describe("no frames are requested", () => {
	test.each<[string, Partial<Facts>]>([
		["when paused", { paused: true }],
		["when still", { still: true }],
		["when nobody sees it", { seen: false }],
		["without a scene", { scene: "none" }],
		["without room", { width: 0 }],
		["without height", { height: 0 }],
	])("%s", (_, changed) => {
		const { turn, player, drawn } = start();
		turn(200);
		player.set({ still: false });
		player.set(changed);
		turn(2);
		const { length } = drawn;
		expect(turn(100)).toBe(0);
		expect(drawn.length).toBe(length);
	});

	test("after the end", () => {
		const { turn, player, said, renderers } = start();
		turn(10);
		player.destroy();
		expect(turn(10)).toBe(0);
		expect(renderers()).toBe(0);
		expect(said).toEqual(["shown", "unwatched", "gave the context back"]);
	});
});

test("time that passes unseen is not caught up with", () => {
	const { turn, player, drawn } = start();
	turn(100);
	player.set({ seen: false });
	turn(1000);
	player.set({ seen: true });
	turn(2);
	expect((drawn.at(-1)?.time ?? 0) - (drawn[99]?.time ?? 0)).toBeLessThan(2);
});

test("what was told stays the page's own, which changes it before it says so", () => {
	const { turn, player, told, drawn } = start();
	turn(100);
	for (const seen of [false, true]) {
		told.seen = seen;
		player.set({ seen });
		turn(seen ? 2 : 1000);
	}
	expect((drawn.at(-1)?.time ?? 0) - (drawn[99]?.time ?? 0)).toBeLessThan(2);
});

test("short pauses, however many, cost no pixels", () => {
	const { turn, player, drawn } = start();
	turn(1200);
	for (let pause = 0; pause < 80; pause++) {
		player.set({ seen: false });
		turn(30);
		player.set({ seen: true });
		turn(4);
	}
	expect(drawn.at(-1)?.size).toBe("400 x 300 x 2");
});

describe("what stands still", () => {
	test("stays where it was paused, drawn once more as well as can be", () => {
		const { turn, player, drawn } = start();
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

	test.each<[string, Partial<Facts>, Partial<PlayerSettings>]>([
		["paused", { paused: true }, {}],
		["still by the visitor's wish", { still: true }, {}],
		["frozen at a tick", {}, { from: 321, frozen: true }],
	])("%s, has all pixels of a display of 3 for each CSS px", (_, stopped, settings) => {
		const { turn, player, drawn } = start({ pixelRatio: 3 }, settings);
		turn(100);
		player.set(stopped);
		turn(100);
		expect(drawn.at(-1)?.size).toBe("400 x 300 x 3");
	});

	test("is not drawn again where it has all pixels", () => {
		const { turn, player, drawn } = start({ pixelRatio: 0.5 });
		turn(100);
		player.set({ paused: true });
		turn(100);
		expect(drawn).toHaveLength(100);
	});

	test("is a good moment, when nothing has been played", () => {
		for (const given of [{ paused: true }, { still: true }]) {
			const { turn, drawn } = start(given);
			expect(turn(100)).toBe(2);
			expect(drawn).toHaveLength(1);
			expect(Math.floor(drawn[0]?.time ?? 0)).toBe(1500);
		}
	});

	test("is a good moment of the next scene, at night at once", () => {
		const { turn, player, drawn } = start({ paused: true });
		turn(10);
		player.set({ scene: "fireworks" });
		turn(10);
		expect(drawn).toHaveLength(2);
		expect(drawn[1]).toMatchObject({ night: 1, time: 1900.5 });
	});

	test("is the tick that was asked for", () => {
		const { turn, drawn } = start({}, { from: 321, frozen: true });
		turn(10);
		expect(drawn.map(({ time }) => time)).toEqual([321]);
	});

	test("for the device's sake is a good moment of each scene, at its time of day", () => {
		const { turn, player, drawn } = start({}, { level: 0 });
		turn(10);
		player.set({ scene: "fireworks" });
		turn(10);
		expect(drawn).toHaveLength(2);
		expect(drawn[0]).toMatchObject({ night: 0, time: 1500.5 });
		expect(drawn[1]).toMatchObject({ night: 1, time: 1900.5 });
	});

	test("does not stop half-way between morning and night", () => {
		const { turn, player, drawn } = start();
		turn(10);
		player.set({ scene: "fireworks" });
		turn(20);
		expect(drawn.at(-1)?.night).toBeLessThan(0.9);
		player.set({ paused: true });
		turn(10);
		expect(drawn.at(-1)?.night).toBe(1);
	});
});

test("night falls over 1.4 s", () => {
	const { turn, player, drawn } = start();
	turn(10);
	player.set({ scene: "fireworks" });
	turn(100);
	const nights = drawn.slice(10).map(({ night }) => night);
	expect(nights[0]).toBe(0);
	expect(nights[82]).toBeLessThan(1);
	expect(nights[85]).toBe(1);
	expect([...nights].sort((a, b) => a - b)).toEqual(nights);
});

test("the first scene has its own time of day at once", () => {
	const { turn, drawn, player } = start({ scene: "none" });
	player.set({ scene: "fireworks" });
	turn(1);
	expect(drawn[0]?.night).toBe(1);
});

test("another backend goes on from the tick where the last one ended", () => {
	const { turn, drawn } = start({}, { from: 900 });
	turn(3);
	expect(drawn.map(({ time }) => Math.floor(time))).toEqual([900, 901, 902]);
	const paused = start({ paused: true }, { from: 900 });
	paused.turn(3);
	expect(paused.drawn.map(({ time }) => time)).toEqual([900.5]);
});

test("the quiet zone is known from the start, after words moved, and after a lost context", () => {
	const { turn, player, drawn, lose, restore } = start({ paused: true, quietZone: [1, 2, 3, 4] });
	turn(2);
	player.set({ quietZone: [5, 6, 7, 8] });
	turn(2);
	lose();
	restore();
	turn(2);
	const zones = drawn.map(({ quietZone }) => Array.from(quietZone));
	expect(zones).toEqual([
		[1, 2, 3, 4],
		[5, 6, 7, 8],
		[5, 6, 7, 8],
	]);
});

test("another pixel ratio is followed", () => {
	const { turn, player, drawn, stats, said } = start({ pixelRatio: 1 });
	turn(600);
	player.set({ pixelRatio: 2 });
	turn(1200);
	expect(drawn.at(-1)?.size).toBe("400 x 300 x 2");
	player.set({ pixelRatio: 1 });
	turn(600);
	expect(drawn.at(-1)?.size).toBe("400 x 300 x 1");
	expect(stats.at(-1)?.level).toBe(LADDER.findIndex(({ pixelRatio }) => pixelRatio === 1));
	expect(said).toEqual(["shown"]);
});

test("zooming in is followed: the canvas has as many device pixels, each CSS px has more of them", () => {
	const { turn, player, drawn } = start({ width: 400, height: 300, pixelRatio: 1 });
	turn(600);
	player.set({ width: 200, height: 150, pixelRatio: 2 });
	turn(1200);
	expect(drawn.at(-1)?.size).toBe("200 x 150 x 2");
});

describe("what was learned of a slow device", () => {
	/** A device that was too slow for more than one pixel for each CSS px, and now has time to spare. */
	function startSlow() {
		const game = start();
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

	test("is kept for 10 s and more, also while the canvas is hidden", () => {
		const { turn, player, drawn } = startSlow();
		turn(600);
		player.set({ width: 0, height: 0 });
		turn(10);
		player.set({ width: 400, height: 300 });
		turn(600);
		expect(drawn.at(-1)?.size).toBe("400 x 300 x 1");
	});

	test("is void when the canvas has become smaller by half, at once or little by little", () => {
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

test("a worker whose frames are throttled while the page's are not is slow, and its display is not", () => {
	const held = (period: number) => {
		const { turn, player, stats } = start();
		for (let second = 0; second < 10; second++) {
			turn(30, 1000 / 30);
			player.pulse(period);
		}
		return stats.at(-1)!.level;
	};
	expect(held(1000 / 60)).toBeLessThan(held(1000 / 30));
});

test("a frame from before a worker's clock began is a frame like any other", () => {
	const { turn, said } = start();
	turn(1, -2000);
	turn(200);
	expect(said).toEqual(["shown"]);
});

describe("a lost context", () => {
	test("costs no frames, and comes back with a new renderer", () => {
		const { turn, lose, restore, said, renderers, drawn } = start();
		turn(10);
		lose();
		expect(turn(100)).toBe(0);
		expect(renderers()).toBe(0);
		restore();
		expect(renderers()).toBe(1);
		turn(10);
		expect(said).toEqual(["shown", "gone", "shown"]);
		expect(drawn).toHaveLength(20);
	});

	test("is shown again when its first new frame is finished, and not before", () => {
		const { turn, lose, restore, said } = start();
		turn(10);
		lose();
		restore();
		turn(1);
		expect(said).toEqual(["shown", "gone"]);
		turn(1);
		expect(said).toEqual(["shown", "gone", "shown"]);
	});

	test("has forgotten the fence of its last frame", () => {
		const { turn, lose, restore, said, forgotten } = start();
		turn(10);
		expect(forgotten()).toBe(0);
		lose();
		expect(forgotten()).toBe(1);
		restore();
		turn(2);
		expect(said.at(-1)).toBe("shown");
	});

	test("costs no time of the scene", () => {
		const { turn, lose, restore, drawn, stats, player } = start();
		turn(100);
		const { tick } = player.pulse();
		lose();
		turn(1000);
		restore();
		turn(1);
		expect(Math.floor(drawn.at(-1)?.time ?? 0)).toBe(tick);
		turn(60);
		expect(stats.at(-1)?.dropped).toBe(0);
	});

	test("may be lost again while it comes back", () => {
		const { turn, lose, restore, said } = start();
		turn(10);
		lose();
		restore(true);
		expect(turn(10)).toBe(0);
		restore();
		turn(10);
		expect(said).toEqual(["shown", "gone", "shown"]);
	});

	test("is given up the third time within a minute", () => {
		const { turn, lose, restore, said } = start();
		for (const _ of [1, 2]) {
			turn(10);
			lose();
			restore();
		}
		turn(10);
		lose();
		expect(said.at(-1)).toMatch(/^given up: The context was lost 3 times/);
		expect(turn(10)).toBe(0);
	});

	test("is not given up when it is rare", () => {
		const { turn, lose, restore, said } = start();
		for (const _ of [1, 2, 3, 4]) {
			turn(31 * 60);
			lose();
			restore();
		}
		turn(10);
		expect(said.at(-1)).toBe("shown");
	});
});

test("a fault while drawing ends the player with one event", () => {
	const game = start();
	game.turn(10);
	game.break();
	game.turn(10);
	expect(game.said).toEqual(["shown", "unwatched", "failed: spoilt"]);
	expect(game.turn(10)).toBe(0);
});

test("a fixed level is kept on any device", () => {
	const { turn, drawn, setBusy } = start({}, { level: 8 });
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
	/** Draws pictures that take 0.3 s each until no more are asked for. */
	function exhaust({ turn, setBusy }: ReturnType<typeof start>, most = 300): void {
		for (let picture = 0; picture < most; picture++) {
			setBusy(true);
			const asked = turn(17);
			setBusy(false);
			if (asked + turn(1) === 0) return;
		}
	}

	test("gets a still one, and is tried less and less often", () => {
		vi.useFakeTimers();
		const game = start({ pixelRatio: 1 });
		const minutes: number[] = [];
		for (let fall = 0; fall < 6; fall++) {
			exhaust(game);
			expect(game.stats.at(-1)?.level).toBeLessThanOrEqual(1);
			const before = Date.now();
			vi.advanceTimersToNextTimer();
			const waited = Date.now() - before;
			minutes.push(Math.round(waited / 60_000));
			expect(game.turn(1, waited)).toBe(1);
		}
		expect(minutes).toEqual([2, 2, 4, 8, 16, 32]);
		exhaust(game);
		game.player.destroy();
		expect(vi.getTimerCount()).toBe(0);
	});

	test("gets all pixels in it", () => {
		vi.useFakeTimers();
		const game = start({ pixelRatio: 1 });
		exhaust(game);
		expect(game.stats.at(-1)?.level).toBe(0);
		expect(game.drawn.at(-1)?.size).toBe("400 x 300 x 1");
		expect(game.drawn.at(-2)?.size).toMatch(/^400 x 300 x 0.33/);
	});

	test("is not left half-way between morning and night", () => {
		vi.useFakeTimers();
		// It gives up before, during or after the change, by how slow it was before.
		const nights = Array.from({ length: 10 }, (_, more) => {
			const game = start({ pixelRatio: 1 });
			exhaust(game, 10 + more);
			game.player.set({ scene: "fireworks" });
			exhaust(game);
			return game.drawn.at(-1)?.night;
		});
		expect(nights).toEqual(nights.map(() => 1));
	});
});

test("no more pixels are drawn than 2560 x 1440, on any display", () => {
	const { turn, drawn } = start({ width: 3840, height: 2160, pixelRatio: 2 }, { level: 8 });
	turn(1);
	const [width = 0, height = 0, ratio = 0] = drawn[0]?.size.split(" x ").map(Number) ?? [];
	expect(width * height * ratio ** 2).toBeCloseTo(2560 * 1440, 3);
});

test("statistics come at most four times a second", () => {
	const { turn, stats } = start();
	turn(600);
	expect(stats.length).toBeGreaterThan(30);
	expect(stats.length).toBeLessThanOrEqual(41);
	expect(stats.at(-1)).toMatchObject({ backend: "worker", drawCalls: 2, dropped: 0, skipped: 0 });
	expect(stats.at(-1)?.level).toBe(LADDER.length - 1);
	expect(stats.at(-1)?.fingerprint).toMatch(/^[0-9a-f]{16}$/);
	const frames = stats.slice(1).flatMap(({ frameTimes }) => [...frameTimes]);
	for (const time of frames) expect(time).toBeCloseTo(1000 / 60, 3);
	expect(frames.length).toBeGreaterThan(560);
	expect(frames.length).toBeLessThan(600);
});

test("statistics tell each skipped frame once", () => {
	const { turn, stats, setBusy } = start();
	turn(30);
	setBusy(true);
	turn(3);
	setBusy(false);
	turn(120);
	expect(stats.map(({ skipped }) => skipped).filter((count) => count > 0)).toEqual([3]);
});

describe("a seek", () => {
	const visit = SCENARIOS.find(({ name }) => name === "visit 42")!;
	const settings = { seed: visit.seed, inputs: visit.inputs };

	test("of a stopped picture draws that tick once, and reports its fingerprint", () => {
		const { turn, player, drawn, stats } = start({ paused: true }, settings);
		turn(2);
		player.seek(600);
		expect(turn(5)).toBe(1);
		expect(drawn.at(-1)?.time).toBe(600.5);
		expect(stats.at(-1)).toMatchObject({ tick: 600, fingerprint: "9e4681b711db834f" });
	});

	test("plays on from there when the picture moves", () => {
		const { turn, player, drawn } = start();
		turn(100);
		player.seek(20);
		turn(11);
		expect(drawn.at(-1)?.time).toBeCloseTo(30.5, 2);
	});

	test("to the other side of dusk is there at once", () => {
		const { turn, player, drawn } = start({}, settings);
		turn(2);
		player.seek(600);
		turn(2);
		expect(drawn.at(-1)?.night).toBe(1);
	});
});

describe("inputs", () => {
	const settings = {
		seed: 42,
		inputs: [
			{ tick: 0, scene: "drift" },
			{ tick: 30, scene: "fireworks" },
		] as const,
	};

	test("turn morning into night when their tick comes, whatever scene is set", () => {
		const { turn, player, drawn } = start({ scene: "both" }, settings);
		player.set({ scene: "drift" });
		turn(30);
		expect(drawn.at(-1)?.night).toBe(0);
		turn(30);
		expect(drawn.at(-1)?.night).toBeGreaterThan(0.05);
		turn(90);
		expect(drawn.at(-1)?.night).toBe(1);
	});

	test("begin at the tick they are asked to, and not at a good moment", () => {
		const { turn, drawn } = start({ paused: true }, { ...settings, from: 12 });
		turn(1);
		expect(drawn.at(-1)).toMatchObject({ time: 12.5, night: 0 });
	});

	test("come to the same state as stepping does", () => {
		const { turn, stats, player } = start({}, { ...settings, inputs: [...settings.inputs] });
		turn(61);
		player.set({ paused: true });
		turn(1);
		const simulation = restore({ ...settings, tick: 0 });
		while (simulation.tick < (stats.at(-1)?.tick ?? 0)) step(simulation);
		expect(simulation.tick).toBeGreaterThan(50);
		expect(stats.at(-1)?.fingerprint).toBe(fingerprint(simulation));
	});
});
