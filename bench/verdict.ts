import type { BenchVerdict } from "./row.ts";

export interface Estimate {
	readonly median: number;
	readonly low: number;
	readonly high: number;
}

/**
 * The median with its interval by the sign test: of n sorted values, the k-th from either end,
 * where k is the greatest with 2 P(Bin(n, 1/2) < k) <= level (Conover, Practical Nonparametric
 * Statistics, section 3.2). It assumes nothing about the distribution of the noise.
 * @param level the share of intervals that miss
 * @throws RangeError for too few values for such an interval: fewer than 6 at 5 %
 */
function estimate(values: readonly number[], level = 0.05): Estimate {
	const n = values.length;
	const sorted = [...values].sort((a, b) => a - b);
	let ways = 1;
	let below = 1;
	let rank = 0;
	while ((2 * below) / 2 ** n <= level) {
		rank++;
		ways = (ways * (n - rank + 1)) / rank;
		below += ways;
	}
	if (rank === 0) throw new RangeError(`${n} values are too few for an interval.`);
	return { median: middle(sorted), low: sorted[rank - 1]!, high: sorted[n - rank]! };
}

export function median(values: readonly number[]): number {
	return middle([...values].sort((a, b) => a - b));
}

function middle(sorted: readonly number[]): number {
	const half = sorted.length / 2;
	return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2;
}

/**
 * Limits of the verdicts. Paired medians of equal arms differed by at most 3.1 % on a machine under
 * load, so 5 % is a difference, and arms within 10 % are as fast as each other.
 *
 *     0.91      0.95       1       1.05      1.1
 *      │ faster ▸│                   │◂ slower│      the whole interval on one side
 *      ├─────────────── as fast ──────────────┤      the whole interval in here
 */
const DIFFERENT = Math.log(1.05);
const EQUAL = Math.log(1.1);

export interface Judged {
	readonly verdict: Extract<BenchVerdict, "faster" | "slower" | "as fast" | "cannot tell" | "void">;
	/** Subject time over base time. */
	readonly ratio: Estimate;
	/** Ratio of a second copy of the base: about 1, or the machine cannot measure. */
	readonly control: Estimate;
}

/**
 * By the logarithms of its time over the base's, one per process, together with those of an equal
 * arm. Void if the equal arm is off by more than 5 %, or its interval is wider than what counts as
 * equal.
 * @param level the share of intervals that miss
 */
export function judgeLogRatios(
	subject: readonly number[],
	control: readonly number[],
	level?: number,
): Judged {
	const [of, equal] = [estimate(subject, level), estimate(control, level)];
	return { verdict: say(of, equal), ratio: exponential(of), control: exponential(equal) };
}

function say(of: Estimate, equal: Estimate): Judged["verdict"] {
	if (Math.abs(equal.median) > DIFFERENT || !isEqual(equal)) return "void";
	if (of.low > DIFFERENT) return "slower";
	if (of.high < -DIFFERENT) return "faster";
	return isEqual(of) ? "as fast" : "cannot tell";
}

function isEqual({ low, high }: Estimate): boolean {
	return low > -EQUAL && high < EQUAL;
}

function exponential({ median, low, high }: Estimate): Estimate {
	return { median: Math.exp(median), low: Math.exp(low), high: Math.exp(high) };
}
