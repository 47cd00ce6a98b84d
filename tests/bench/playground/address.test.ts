import fc from "fast-check";
import { expect, test } from "vitest";
import { DEFAULTS, readAddress, writeAddress } from "../../../bench/playground/address.ts";
import { SCRIPTS } from "../../../bench/playground/scripts.ts";
import { BACKENDS } from "../../../engine/messages.ts";
import { LADDER } from "../../../engine/player/quality/ladder.ts";
import { SCENES } from "../../../engine/simulation/index.ts";

const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const inputs = fc
	.uniqueArray(fc.record({ tick: fc.nat(1e9), scene: fc.constantFrom(...SCENES) }), {
		selector: ({ tick }) => tick,
		minLength: 1,
		maxLength: 6,
	})
	.map((list) => list.sort((a, b) => a.tick - b.tick));

const setups = fc.record({
	inputs: fc.oneof(inputs, fc.constantFrom(...SCRIPTS.values())),
	seed: fc.nat(2 ** 32 - 1),
	ticks: fc.integer({ min: 1000, max: 216_000 }),
	tick: fc.nat(1000),
	playing: fc.boolean(),
	backend: maybe(fc.constantFrom(...BACKENDS)),
	level: maybe(fc.nat(LADDER.length - 1)),
	pixelRatio: maybe(fc.constantFrom(0.5, 1, 1.25, 3)),
	memory: maybe(fc.constantFrom(0.25, 4, 8)),
	cores: maybe(fc.integer({ min: 1, max: 64 })),
	saveData: fc.boolean(),
	jank: fc.nat(500),
});

test("an address carries the whole set-up (seed 6)", () => {
	fc.assert(
		fc.property(setups, (setup) => {
			const { setup: read, complaints } = readAddress(writeAddress(setup));
			expect(complaints).toEqual([]);
			expect(read).toEqual(setup);
		}),
		{ seed: 6, numRuns: 300 },
	);
});

test("an address of a named scenario names it, and one with a fingerprint carries it", () => {
	const address = writeAddress(DEFAULTS, "0123456789abcdef");
	expect(address).toBe("?scenario=visit&seed=42&ticks=6000&tick=0&print=0123456789abcdef");
	expect(readAddress(address).print).toBe("0123456789abcdef");
});

test("an empty address is the default", () => {
	expect(readAddress("")).toEqual({ setup: DEFAULTS, print: undefined, complaints: [] });
});

test.each([
	["scenario=snow", "scenario=snow is passed over: it must be none or drift"],
	["inputs=5:drift,5:both", "it must be ticks with scenes"],
	["inputs=0:snow", "it must be ticks with scenes"],
	["seed=-1", "seed=-1 is passed over: it must be a whole number from 0 to 4294967295."],
	["ticks=1000000000", "it must be a whole number from 1 to 216000."],
	["tick=6001", "it must be a whole number from 0 to 6000."],
	["way=magic", "it must be worker or page or flat or none."],
	["level=9", "it must be a whole number from 0 to 8."],
	["ratio=0", "it must be a number above 0, up to 8."],
	["play=yes", "it must be 1."],
	["print=xyz", "it must be 16 hex digits."],
])("?%s is named and ignored", (query, sentence) => {
	const { setup, complaints } = readAddress(`?${query}`);
	expect(complaints).toHaveLength(1);
	expect(complaints[0]).toContain(sentence);
	expect(setup).toEqual(DEFAULTS);
});
