/** The tiers, the most trustworthy first. */
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
	/** It keeps its budget. */
	| "within"
	/** It costs more than its budget, or is not what it must be. */
	| "breach"
	/** Beside a base: the whole interval lies on one side, or within what counts as equal. */
	| "faster"
	| "slower"
	| "as fast"
	/** Beside a base: the interval is too wide to say. */
	| "cannot tell"
	/** The control of the same run failed, so nothing was measured. */
	| "void"
	/** It has no budget and passes no judgement. */
	| "for reading";

/** A number that has no verdict yet. */
export interface Measured {
	readonly tier: Tier;
	/** Its name in the budgets. */
	readonly name: string;
	readonly value: number;
	readonly unit: string;
	/** Why it costs that much: written into the budgets. */
	readonly reason: string;
	/** Less than the limit is a breach, too. */
	readonly equal?: boolean;
	/** Its limit is a goal that an update leaves alone, and not what was measured one day. */
	readonly goal?: boolean;
	/** Bytes of the value that are the brand's own words and fonts. */
	readonly own?: number;
	/** For noisy numbers: the limit is `times` the measured value, which counts as `least` at least. */
	readonly margin?: { readonly times: number; readonly least: number };
}

/** One line of what the bench prints. */
export interface BenchRow extends Measured {
	readonly verdict: BenchVerdict;
	readonly limit?: number;
	/** Node and Chromium disagree about its value. */
	readonly disputed?: boolean;
	/** What the verdict rests on, where the numbers alone do not show it. */
	readonly note?: string;
	/** The base's value, and for times the ratio to it with its interval. */
	readonly base?: number;
	readonly ratio?: { readonly median: number; readonly low: number; readonly high: number };
}

/** Exit codes of a run. */
export const EXIT = { within: 0, breach: 1, misuse: 2, cannotTell: 3, void: 4 } as const;

/** The exit code of a run: one breach outweighs everything, and void outweighs "cannot tell". */
export function exitCode(rows: readonly BenchRow[]): number {
	const has = (...verdicts: BenchRow["verdict"][]) =>
		rows.some((row) => verdicts.includes(row.verdict));
	if (has("breach", "slower")) return EXIT.breach;
	if (has("void")) return EXIT.void;
	if (has("cannot tell")) return EXIT.cannotTell;
	return EXIT.within;
}
