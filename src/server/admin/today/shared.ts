/** Counting takes at most this share of the time, however many people look. */
const SHARE = 1 / 50;

const MOST_KEPT_MS = 25_000;

/** A list of this size is counted in about 10 ms: below it nothing is kept. */
const LARGE = 50_000;

/**
 * Shares the counts of a large list between all who look. They are kept for 50 times as long as counting
 * took, at most 25 s, and name the time as of which they are.
 *
 * @param clock ms
 * @returns counts, or gives what was counted just before
 */
export function shareCounts<Counts extends { total: { now: number } }>(
	clock: () => number = () => performance.now(),
): (count: () => Promise<Counts>) => Promise<Counts> {
	let kept: Promise<Counts> | undefined;
	let keptUntil = 0;
	let isLarge = false;
	return (count) => {
		if (kept && clock() < keptUntil) return kept;
		const began = clock();
		const counting = count();
		kept = counting;
		// Whoever asks while a large list is counted waits for the same numbers.
		keptUntil = isLarge ? Number.POSITIVE_INFINITY : 0;
		counting.then(
			({ total }) => {
				const ended = clock();
				isLarge = total.now >= LARGE;
				keptUntil = isLarge ? ended + Math.min((ended - began) / SHARE, MOST_KEPT_MS) : 0;
			},
			() => {
				keptUntil = 0;
			},
		);
		return counting;
	};
}
