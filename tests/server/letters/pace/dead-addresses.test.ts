import { describe, expect, it } from "vitest";
import { ownerOf } from "../../../../src/server/letters/pace/address-owner.ts";
import {
	type EndedLetter,
	judgeLetters,
} from "../../../../src/server/letters/pace/dead-addresses.ts";

const alive = (n: number): EndedLetter => ({
	key: `visitor-${n}@company-${n}.example`,
	dead: false,
});
const dead = (n: number): EndedLetter => ({ ...alive(n), dead: true });
const times = (count: number, of: (n: number) => EndedLetter) =>
	Array.from({ length: count }, (_, n) => of(n));

describe("the brake", () => {
	it("does not mind twelve typed addresses, and slows from the thirteenth down to an eighth", () => {
		expect([12, 13, 15, 17, 1000].map((n) => judgeLetters(times(n, dead)).slowed)).toEqual([
			...[1, 2, 4, 8, 8],
		]);
	});

	it("lets a stream go on step by step as good letters arrive, whatever came before", () => {
		const after = (good: number) =>
			judgeLetters([...times(500, dead), ...times(good, alive)]).slowed;
		expect([99, 100, 150, 200].map(after)).toEqual([8, 4, 2, 1]);
	});

	it("counts two dead addresses of one owner, and every mailbox of a large provider", () => {
		const own = (n: number): EndedLetter => ({ key: `u${n}@mail-${n}.evil.example`, dead: true });
		const tagged = (n: number): EndedLetter => ({ key: `e.vil+${n}@gmail.com`, dead: true });
		expect(judgeLetters([...times(300, own), ...times(300, tagged)])).toEqual({
			slowed: 1,
			letters: 4,
			dead: 4,
		});
		const typed = (n: number): EndedLetter => ({ key: `typed${n}@gmail.com`, dead: true });
		expect(judgeLetters(times(300, typed)).slowed).toBe(8);
	});
});

it.each([
	["ada@a.b.orbit.example", "orbit.example"],
	["ada@mail.shop.co.uk", "shop.co.uk"],
	["a.d.a+waitlist@gmail.com", "ada@gmail.com"],
	["ada-shop@yahoo.com", "ada@yahoo.com"],
])("the owner of %s is %s", (key, owner) => {
	expect(ownerOf(key)).toBe(owner);
});
