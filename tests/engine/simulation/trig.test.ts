import { expect, test } from "vitest";
import { cosine, root, sine } from "../../../engine/simulation/trig.ts";

const turns = Array.from({ length: 200_001 }, (_, i) => (i - 100_000) / 50_000);

function farthest(places: number[], one: (x: number) => number, other: (x: number) => number) {
	return places.reduce((most, x) => Math.max(most, Math.abs(one(x) - other(x))), 0);
}

// Math.sin is inexact, too: its argument is rounded, by up to 9e-16 at two turns.
test("sine and cosine are within 4e-16 of the truth in the first turn", () => {
	const first = turns.filter((turn) => Math.abs(turn) <= 0.25);
	expect(farthest(first, sine, (turn) => Math.sin(turn * 2 * Math.PI))).toBeLessThan(4e-16);
	expect(farthest(first, cosine, (turn) => Math.cos(turn * 2 * Math.PI))).toBeLessThan(4e-16);
});

test("they are within 2e-15 over four turns", () => {
	expect(farthest(turns, sine, (turn) => Math.sin(turn * 2 * Math.PI))).toBeLessThan(2e-15);
	expect(farthest(turns, cosine, (turn) => Math.cos(turn * 2 * Math.PI))).toBeLessThan(2e-15);
});

test("an angle exact in binary has the same sine to the bit a million turns on", () => {
	for (let turn = 0; turn < 1; turn += 1 / 1024) expect(sine(turn + 1_000_000)).toBe(sine(turn));
});

test("quarters of a turn are exact", () => {
	expect([0, 0.25, 0.5, 0.75].map((turn) => sine(turn) + 0)).toEqual([0, 1, 0, -1]);
});

test("roots are within 3e-16 of the truth", () => {
	const squares = Array.from({ length: 99_901 }, (_, i) => (i + 100) / 100_000);
	expect(farthest(squares, root, Math.sqrt)).toBeLessThan(3e-16);
});
