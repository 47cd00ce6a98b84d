import type { MedianEstimate, TimeRow } from "./row.ts";

/**
 * The 95% interval comes from the sign test (Conover, Practical Nonparametric Statistics, section
 * 3.2): from the k-th lowest to the k-th highest of n values, with the greatest k for which
 * 2 P(Bin(n, 1/2) < k) <= 5%.
 * @throws RangeError for fewer than 6 values
 */
export function estimateMedian(values: readonly number[]): MedianEstimate {
	const n = values.length;
	const sorted = [...values].sort((a, b) => a - b);
	let ways = 1;
	let below = 1;
	let rank = 0;
	while ((2 * below) / 2 ** n <= 0.05) {
		rank++;
		ways = (ways * (n - rank + 1)) / rank;
		below += ways;
	}
	if (rank === 0) throw new RangeError(`${n} values are too few for an interval.`);
	return { median: median(sorted), low: sorted[rank - 1]!, high: sorted[n - rank]! };
}

export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const half = sorted.length / 2;
	return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2;
}

/**
 * Builds of equal code differ by chance, because V8 compiles each separately.
 *
 *     0.95  0.97   1   1.03  1.05
 *     faster ▸│         │◂ slower       the whole interval on one side
 *      │◂───── same ───────▸│           the whole interval between these, or else: cannot tell
 */
const [DIFFERENT, SAME] = [1.03, 1.05];

export function judgeTimeRatio({ low, high }: MedianEstimate): TimeRow["verdict"] {
	if (low > DIFFERENT) return "slower";
	if (high < 1 / DIFFERENT) return "faster";
	return low > 1 / SAME && high < SAME ? "same" : "cannot tell";
}
