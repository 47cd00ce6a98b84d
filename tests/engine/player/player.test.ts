import { describe, expect, test } from "vitest";
import type { PageState } from "../../../engine/messages.ts";
import { QUALITY_LEVELS } from "../../../engine/player/quality/ladder.ts";
import { startPlayer } from "./player-by-hand.ts";

test("60 frames yield 59 ticks, because the first has no predecessor", () => {
	const { turn, drawn } = startPlayer();
	expect(turn(61)).toBe(61);
	expect(drawn.length).toBe(61);
	expect(Math.floor(drawn[60]?.time ?? 0)).toBe(60);
});

test("a frame counts as shown once the GPU has finished it", () => {
	const { turn, said, setBusy } = startPlayer();
	turn(1);
	setBusy(true);
	turn(5);
	expect(said).toEqual([]);
	setBusy(false);
	turn(1);
	expect(said).toEqual(["shown"]);
});

test("nothing is drawn while the GPU is busy, and time continues", () => {
	const { turn, drawn, setBusy } = startPlayer();
	turn(10);
	setBusy(true);
	expect(turn(5)).toBe(5);
	expect(drawn.length).toBe(10);
	setBusy(false);
	turn(1);
	expect((drawn[10]?.time ?? 0) - (drawn[9]?.time ?? 0)).toBeCloseTo(6, 6);
});

describe("no frames are requested", () => {
	test.each<[string, Partial<PageState>]>([
		["when paused", { paused: true }],
		["when still", { still: true }],
		["when nobody sees it", { seen: false }],
		["without a scene", { scene: "none" }],
		["without room", { width: 0 }],
		["without height", { height: 0 }],
	])("%s", (_, changed) => {
		const { turn, player, drawn } = startPlayer();
		turn(200);
		player.set({ still: false });
		player.set(changed);
		turn(2);
		const { length } = drawn;
		expect(turn(100)).toBe(0);
		expect(drawn.length).toBe(length);
	});

	test("after the end", () => {
		const { turn, player, said, renderers } = startPlayer();
		turn(10);
		player.destroy();
		expect(turn(10)).toBe(0);
		expect(renderers()).toBe(0);
		expect(said).toEqual(["shown", "unwatched", "gave the context back"]);
	});
});

test("time out of sight is not caught up, even if the page changes the state first", () => {
	const { turn, player, pageState, drawn } = startPlayer();
	turn(100);
	for (const seen of [false, true]) {
		pageState.seen = seen;
		player.set({ seen });
		turn(seen ? 2 : 1000);
	}
	expect((drawn.at(-1)?.time ?? 0) - (drawn[99]?.time ?? 0)).toBeLessThan(2);
});

test("a frame from before a worker's clock started is an ordinary frame", () => {
	const { turn, said } = startPlayer();
	turn(1, -2000);
	turn(200);
	expect(said).toEqual(["shown"]);
});

test("another backend resumes at the last one's tick", () => {
	const { turn, drawn } = startPlayer({}, { from: 900 });
	turn(3);
	expect(drawn.map(({ time }) => Math.floor(time))).toEqual([900, 901, 902]);
	const paused = startPlayer({ paused: true }, { from: 900 });
	paused.turn(3);
	expect(paused.drawn.map(({ time }) => time)).toEqual([900.5]);
});

test("a drawing error ends the player with one event", () => {
	const game = startPlayer();
	game.turn(10);
	game.break();
	game.turn(10);
	expect(game.said).toEqual(["shown", "unwatched", "failed: spoilt"]);
	expect(game.turn(10)).toBe(0);
});

test("statistics arrive at most four times a second", () => {
	const { turn, stats } = startPlayer();
	turn(600);
	expect(stats.length).toBeGreaterThan(30);
	expect(stats.length).toBeLessThanOrEqual(41);
	expect(stats.at(-1)).toMatchObject({ backend: "worker", drawCalls: 2, dropped: 0, skipped: 0 });
	expect(stats.at(-1)?.level).toBe(QUALITY_LEVELS.length - 1);
	expect(stats.at(-1)?.fingerprint).toMatch(/^[0-9a-f]{16}$/);
	const frames = stats.slice(1).flatMap(({ frameTimes }) => [...frameTimes]);
	for (const time of frames) expect(time).toBeCloseTo(1000 / 60, 3);
	expect(frames.length).toBeGreaterThan(560);
	expect(frames.length).toBeLessThan(600);
});

test("statistics report each skipped frame once", () => {
	const { turn, stats, setBusy } = startPlayer();
	turn(30);
	setBusy(true);
	turn(3);
	setBusy(false);
	turn(120);
	expect(stats.map(({ skipped }) => skipped).filter((count) => count > 0)).toEqual([3]);
});
