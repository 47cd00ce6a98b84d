import { describe, expect, it } from "vitest";
import { createGuesses } from "../../../src/server/waves/guesses.ts";

/** Counts wrong codes at times that the test makes. */
function guessing() {
	let ms = 0;
	const guesses = createGuesses(() => ms);
	return {
		count: guesses.count,
		/** How many of so many are counted, for addresses that are made of their numbers. */
		counted: (tries: number, keyOf: (n: number) => string) =>
			Array.from({ length: tries }, (_, n) => guesses.count(keyOf(n))).filter((wait) => wait === 0)
				.length,
		pass(minutes: number) {
			ms += minutes * 60_000;
		},
	};
}

describe("wrong codes", () => {
	it("are ten in ten minutes for one address, and others are not held back", () => {
		const { count, counted, pass } = guessing();
		expect(counted(300, () => "ada@example.com")).toBe(10);
		expect(count("ada@example.com")).toBe(60);
		expect(count("bob@example.com")).toBe(0);
		pass(1);
		expect(counted(300, () => "ada@example.com")).toBe(1);
		pass(10);
		expect(counted(300, () => "ada@example.com")).toBe(10);
	});

	it("are a thousand in ten minutes for all addresses, whoever writes them", () => {
		const { count, counted, pass } = guessing();
		expect(counted(10_000, (n) => `${n}@example.com`)).toBe(1000);
		expect(count("ada@example.com")).toBe(1);
		pass(10);
		expect(counted(10_000, (n) => `${n}@example.com`)).toBe(1000);
	});
});
