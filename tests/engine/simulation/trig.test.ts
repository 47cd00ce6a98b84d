import { expect, test } from "vitest";
import { cosine, sine, squareRoot } from "../../../engine/simulation/trig.ts";

const turns = Array.from({ length: 200_001 }, (_, i) => (i - 100_000) / 50_000);
const quarters = turns.filter((turn) => Math.abs(turn) <= 0.25);
const squares = turns.filter((turn) => turn >= 0.001 && turn < 1);
const radians = (turn: number) => turn * 2 * Math.PI;

type Real = (x: number) => number;

// The limits allow for `Math.sin`: its argument is rounded, by up to 9e-16 at two turns.
test.each<[string, string, Real, Real, number[], number]>([
	["sines", "the first quarter", sine, (turn) => Math.sin(radians(turn)), quarters, 4e-16],
	["cosines", "the first quarter", cosine, (turn) => Math.cos(radians(turn)), quarters, 4e-16],
	["sines", "four turns", sine, (turn) => Math.sin(radians(turn)), turns, 2e-15],
	["cosines", "four turns", cosine, (turn) => Math.cos(radians(turn)), turns, 2e-15],
	["roots", "numbers below 1", squareRoot, Math.sqrt, squares, 3e-16],
])("%s of %s are exact to rounding", (_, __, ours, theirs, places, most) => {
	const errors = places.map((x) => Math.abs(ours(x) - theirs(x)));
	expect(errors.reduce((greatest, error) => Math.max(greatest, error))).toBeLessThan(most);
});

test("an angle exact in binary has the same sine to the bit a million turns on", () => {
	for (let turn = 0; turn < 1; turn += 1 / 1024) expect(sine(turn + 1_000_000)).toBe(sine(turn));
});
