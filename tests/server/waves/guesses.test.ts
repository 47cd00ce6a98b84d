import { expect, it } from "vitest";
import { createGuesses } from "../../../src/server/waves/guesses.ts";

it("counts ten wrong codes in ten minutes for one address, and a thousand for all", () => {
	let ms = 0;
	const { count } = createGuesses(() => ms);
	const counted = (tries: number, keyOf: (n: number) => string) =>
		Array.from({ length: tries }, (_, n) => count(keyOf(n))).filter((wait) => wait === 0).length;
	expect(counted(300, () => "ada@example.com")).toBe(10);
	expect(count("ada@example.com")).toBe(60);
	expect(count("bob@example.com")).toBe(0);
	ms += 60_000;
	expect(counted(300, () => "ada@example.com")).toBe(1);
	ms += 600_000;
	expect(counted(10_000, (n) => `${n}@example.com`)).toBe(1000);
	expect(count("ada@example.com")).toBe(1);
});
