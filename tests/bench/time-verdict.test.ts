import { expect, test } from "vitest";
import { estimateMedian, judgeTimeRatio, median } from "../../bench/time-verdict.ts";

test.each([
	["slower", 1.04, 1.3],
	["faster", 0.8, 0.95],
	["same", 0.98, 1.02],
	["cannot tell", 0.99, 1.2],
	["cannot tell", 0.9, 1.01],
])("reports %s for an interval from %d to %d", (verdict, low, high) => {
	expect(judgeTimeRatio({ median: (low + high) / 2, low, high })).toBe(verdict);
});

test("of 12 values the interval reaches from the third to the third last", () => {
	const values = [7, 1, 12, 2, 11, 3, 10, 4, 9, 5, 8, 6];
	expect(estimateMedian(values)).toEqual({ median: 6.5, low: 3, high: 10 });
	expect(() => estimateMedian([1, 2, 3, 4, 5])).toThrow("5 values are too few");
	expect(median([3, 1, 2])).toBe(2);
});
