import { expect, test } from "vitest";
import type { BenchRow } from "../../bench/row.ts";
import { exitCode } from "../../bench/row.ts";
import { estimate, judge, median } from "../../bench/verdict.ts";

const around = (ratio: number, spread = 0.01) =>
	Array.from({ length: 9 }, (_, i) => Math.log(ratio) + ((i - 4) / 4) * spread);

// Ranks and levels as tables of the sign test have them: 9 values have [2nd, 8th] at 96.1 %.
test.each([
	[6, 1],
	[8, 1],
	[9, 2],
	[12, 3],
	[15, 4],
	[17, 5],
	[20, 6],
])("the interval of the median of %d values begins at rank %d from either end", (n, rank) => {
	const { low, high } = estimate(Array.from({ length: n }, (_, i) => n - i));
	expect([low, high]).toEqual([rank, n + 1 - rank]);
});

// 2 P(Bin(12, 1/2) < 2) = 0.6 %, < 3: 3.9 %.
test("an interval that may miss less often is wider", () => {
	const values = Array.from({ length: 12 }, (_, i) => i + 1);
	expect(estimate(values, 0.0125)).toMatchObject({ low: 2, high: 11 });
	expect(estimate(values, 0.05)).toMatchObject({ low: 3, high: 10 });
});

test("five values have no interval", () => {
	expect(() => estimate([1, 2, 3, 4, 5])).toThrow("5 values are too few");
});

test.each([
	["slower", around(1.2), around(1)],
	["faster", around(0.8), around(1)],
	["as fast", around(1.03), around(1)],
	["cannot tell", around(1.08, 0.1), around(1)],
	["cannot tell", around(0.92, 0.1), around(1)],
	["void", around(1.2), around(1.06)],
	["void", around(1), around(0.94)],
	["void", around(2), around(1, 0.3)],
])("says %s", (verdict, subject, control) => {
	expect(judge(subject, control).verdict).toBe(verdict);
});

test("the ratio to the base's time has the interval of the level asked for", () => {
	const subject = Array.from({ length: 12 }, (_, i) => Math.log(i + 1));
	const { ratio, control } = judge(subject, around(1.02), 0.0125);
	expect(ratio.low).toBeCloseTo(2, 9);
	expect(ratio.median).toBeCloseTo(Math.sqrt(6 * 7), 9);
	expect(ratio.high).toBeCloseTo(11, 9);
	expect(control.median).toBeCloseTo(1.02, 9);
	expect(judge(subject, around(1)).ratio.low).toBeCloseTo(3, 9);
});

test("the median is the middle, or halfway between the two in the middle", () => {
	expect(median([9, 1, 5])).toBe(5);
	expect(median([9, 1, 5, 2])).toBe(3.5);
});

test.each([
	[0, ["within", "as fast", "faster"]],
	[1, ["void", "breach", "cannot tell"]],
	[1, ["within", "slower"]],
	[4, ["cannot tell", "void", "within"]],
	[3, ["cannot tell", "faster"]],
] as const)("leaves with %d after %j", (code, verdicts) => {
	expect(exitCode(verdicts.map((verdict) => ({ verdict }) as BenchRow))).toBe(code);
});
