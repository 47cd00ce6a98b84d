import { describe, expect, it } from "vitest";
import { ownerOf } from "../../../../src/server/letters/pace/address-owner.ts";
import {
	DEAD_WEIGHT,
	type EndedLetter,
	judgeLetters,
	LATEST,
	SLOWDOWNS,
} from "../../../../src/server/letters/pace/dead-addresses.ts";
import { fractions } from "../../chance.ts";

/**
 * The chance that a stream is slowed within so many letters, each of which has a dead address with a
 * probability: the exact distribution of the excess after each letter.
 */
function chanceOfSlowing(letters: number, share: number): number {
	const { above } = SLOWDOWNS[0];
	let chances = new Float64Array(above + 1);
	chances[0] = 1;
	let slowed = 0;
	for (let n = 0; n < letters; n += 1) {
		const next = new Float64Array(above + 1);
		for (const [excess, chance] of chances.entries()) {
			next[Math.max(0, excess - 1)]! += chance * (1 - share);
			if (excess + DEAD_WEIGHT > above) slowed += chance * share;
			else next[excess + DEAD_WEIGHT]! += chance * share;
		}
		chances = next;
	}
	return slowed;
}

const alive = (n: number): EndedLetter => ({
	key: `visitor-${n}@company-${n}.example`,
	dead: false,
});
const dead = (n: number): EndedLetter => ({ ...alive(n), dead: true });
const times = (count: number, of: (n: number) => EndedLetter) =>
	Array.from({ length: count }, (_, n) => of(n));

describe("the brake", () => {
	it("leaves a launch of 10,000 with 2.1 % of dead addresses alone, but once in 4,000", () => {
		expect(chanceOfSlowing(10_000, 0.021)).toBeLessThan(1 / 4000);
	});

	it("slows a list with 8 % of dead addresses within 500 letters, 19 times in 20", () => {
		expect(chanceOfSlowing(500, 0.08)).toBeGreaterThan(0.95);
	});

	it("looks at more letters than the excess remembers", () => {
		// What 12 dead addresses add, good letters have taken away again.
		expect(LATEST).toBeGreaterThan(2 * SLOWDOWNS[0].above);
	});

	it.each([1, 2, 3])("slows as the arithmetic says: seed %i", (seed) => {
		const chance = fractions(seed);
		const letters: EndedLetter[] = [];
		while (judgeLetters(letters.slice(-LATEST)).slowed === 1 && letters.length < 2000) {
			letters.push((chance.next().value < 0.08 ? dead : alive)(letters.length));
		}
		expect(letters.length).toBeGreaterThan(100);
		expect(letters.length).toBeLessThan(700);
	});

	it("does not mind twelve typed addresses, and minds the thirteenth", () => {
		expect(judgeLetters(times(12, dead))).toEqual({ slowed: 1, letters: 12, dead: 12 });
		expect(judgeLetters(times(13, dead))).toEqual({ slowed: 2, letters: 13, dead: 13 });
	});

	it("slows more with each two dead addresses, down to an eighth", () => {
		expect([13, 15, 17, 19, 1000].map((n) => judgeLetters(times(n, dead)).slowed)).toEqual([
			...[2, 4, 8, 8, 8],
		]);
	});

	it("lets a stream go on step by step as good letters arrive, whatever came before", () => {
		const after = (good: number) =>
			judgeLetters([...times(500, dead), ...times(good, alive)]).slowed;
		expect([99, 100, 150, 200].map(after)).toEqual([8, 4, 2, 1]);
	});

	it("does not change its speed with every letter", () => {
		const slowed = times(13, dead);
		expect(judgeLetters([...slowed, ...times(74, alive)]).slowed).toBe(2);
		expect(judgeLetters([...slowed, ...times(75, alive)]).slowed).toBe(1);
	});

	it("counts two dead addresses of one owner, however many refuse or report", () => {
		const own = (n: number): EndedLetter => ({ key: `u${n}@mail-${n}.evil.example`, dead: true });
		const tagged = (n: number): EndedLetter => ({ key: `e.vil+${n}@gmail.com`, dead: true });
		expect(judgeLetters([...times(300, own), ...times(300, tagged)])).toEqual({
			slowed: 1,
			letters: 4,
			dead: 4,
		});
	});

	it("counts every mailbox of a large provider", () => {
		const typed = (n: number): EndedLetter => ({ key: `typed${n}@gmail.com`, dead: true });
		expect(judgeLetters(times(300, typed)).slowed).toBe(8);
	});
});

describe("the owner of an address", () => {
	it.each([
		["ada@orbit.example", "orbit.example"],
		["ada@a.b.orbit.example", "orbit.example"],
		["ada@mail.shop.co.uk", "shop.co.uk"],
		["ada@co.uk", "co.uk"],
		["ada@gmail.com", "ada@gmail.com"],
		["a.d.a+waitlist@gmail.com", "ada@gmail.com"],
		["ada-shop@yahoo.com", "ada@yahoo.com"],
	])("of %s is %s", (key, owner) => {
		expect(ownerOf(key)).toBe(owner);
	});
});
