import { describe, expect, test } from "vitest";
import { startPlayer } from "./player-by-hand.ts";

describe("a lost context", () => {
	test("costs no frames, forgets its fence, and returns with a new renderer", () => {
		const { turn, lose, restore, said, renderers, drawn, forgotten } = startPlayer();
		turn(10);
		expect(forgotten()).toBe(0);
		lose();
		expect(forgotten()).toBe(1);
		expect(turn(100)).toBe(0);
		expect(renderers()).toBe(0);
		restore();
		expect(renderers()).toBe(1);
		turn(10);
		expect(said).toEqual(["shown", "gone", "shown"]);
		expect(drawn).toHaveLength(20);
	});

	test("costs no scene time", () => {
		const { turn, lose, restore, drawn, stats, player } = startPlayer();
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

	test("may be lost again while it returns", () => {
		const { turn, lose, restore, said } = startPlayer();
		turn(10);
		lose();
		restore(true);
		expect(turn(10)).toBe(0);
		restore();
		turn(10);
		expect(said).toEqual(["shown", "gone", "shown"]);
	});

	test("is given up when lost three times within a minute", () => {
		const { turn, lose, restore, said } = startPlayer();
		for (const _ of [1, 2]) {
			turn(29 * 60);
			lose();
			restore();
		}
		lose();
		expect(said.at(-1)).toBe("given up: The context was lost 3 times within a minute.");
		expect(turn(10)).toBe(0);
	});

	test("is kept if losses are rare", () => {
		const { turn, lose, restore, said } = startPlayer();
		for (const _ of [1, 2, 3, 4]) {
			turn(31 * 60);
			lose();
			restore();
		}
		turn(10);
		expect(said.at(-1)).toBe("shown");
	});
});

test("the quiet zone is known from the start, after words move, and after a lost context", () => {
	const { turn, player, drawn, lose, restore } = startPlayer({
		paused: true,
		quietZone: [1, 2, 3, 4],
	});
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
