/** Most trustworthy first. */
export const TIERS = ["counts", "bytes", "allocations", "times", "frames"] as const;
export type Tier = (typeof TIERS)[number];

export const TITLES: Readonly<Record<Tier, string>> = {
	counts: "Counts in 600 frames of a fixed schedule",
	bytes: "Bytes shipped",
	allocations: "Allocations",
	times: "Times of the thread that draws",
	frames: "What a visitor feels, on software GL; for reading, without a GPU",
};

export type BenchVerdict =
	| "within"
	/** Over its budget, or not the required value. */
	| "breach"
	/** With a base: the whole interval is on one side, or within what counts as equal. */
	| "faster"
	| "slower"
	| "as fast"
	/** With a base: the interval is too wide. */
	| "cannot tell"
	/** The run's control failed, so nothing was measured. */
	| "void"
	/** Informational: no budget, no verdict. */
	| "for reading";

export interface Measured {
	readonly tier: Tier;
	readonly name: string;
	readonly value: number;
	readonly unit: string;
	/** Written into the budgets. */
	readonly reason: string;
	/** Less than the limit is a breach, too. */
	readonly equal?: boolean;
	/** The limit is a goal, which updates leave alone, instead of an earlier measurement. */
	readonly goal?: boolean;
	/** Bytes of the value that are the brand's own words and fonts. */
	readonly own?: number;
	/** For noisy numbers: the limit is `times` the measured value, which counts as at least `least`. */
	readonly margin?: { readonly times: number; readonly least: number };
}

export interface BenchRow extends Measured {
	readonly verdict: BenchVerdict;
	readonly limit?: number;
	/** Node and Chromium disagree about its value. */
	readonly disputed?: boolean;
	/** Evidence for the verdict that the numbers alone do not show. */
	readonly note?: string;
	/** The base's value, and for times the ratio to it with its interval. */
	readonly base?: number;
	readonly ratio?: { readonly median: number; readonly low: number; readonly high: number };
}

export const EXIT = { within: 0, breach: 1, misuse: 2, cannotTell: 3, void: 4 } as const;

/** One breach outweighs everything, and void outweighs "cannot tell". */
export function exitCode(rows: readonly BenchRow[]): number {
	const has = (...verdicts: BenchRow["verdict"][]) =>
		rows.some((row) => verdicts.includes(row.verdict));
	if (has("breach", "slower")) return EXIT.breach;
	if (has("void")) return EXIT.void;
	if (has("cannot tell")) return EXIT.cannotTell;
	return EXIT.within;
}
