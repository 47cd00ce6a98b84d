/** The parts of the bench, in the order in which they can be trusted. */
export const TIERS = ["counts", "bytes", "allocations", "instructions", "times", "frames"] as const;
export type Tier = (typeof TIERS)[number];

export const TITLES: Readonly<Record<Tier, string>> = {
	counts: "Counts in 600 frames of a fixed schedule",
	bytes: "Bytes shipped",
	allocations: "Allocations",
	instructions: "Instructions of the processor, by callgrind",
	times: "Times of the thread that draws",
	frames: "What a visitor feels, on software GL",
};

export type Verdict =
	/** Its budget holds. */
	| "within"
	/** It costs more than its budget, or is not what it must be. */
	| "breach"
	/** Beside a base: the whole interval lies on one side, or within what counts as nothing. */
	| "faster"
	| "slower"
	| "as fast"
	/** Beside a base: the interval is too wide to say. */
	| "cannot tell"
	/** The control of the same run failed: whatever was measured says nothing. */
	| "void";

/** A number, before anybody has judged it. */
export interface Measured {
	readonly tier: Tier;
	/** Its name in the budgets. */
	readonly name: string;
	readonly value: number;
	readonly unit: string;
	/** Why it costs what it costs: for the budgets. */
	readonly reason: string;
	/** Less is as wrong as more. */
	readonly equal?: boolean;
	/** Its limit is what somebody set out to keep, and not what it took one day. */
	readonly goal?: boolean;
	/** For what noise moves: the budget is `times` today's value, counted as `least` at least. */
	readonly margin?: { readonly times: number; readonly least: number };
}

/** A line of the report. */
export interface Row extends Measured {
	readonly verdict: Verdict;
	readonly limit?: number;
	/** Node and Chromium disagree about its value. */
	readonly disputed?: boolean;
	/** What the verdict rests on, where the numbers do not say it. */
	readonly note?: string;
	/** What it is beside a base: its value, or the ratio of times with its interval. */
	readonly base?: number;
	readonly ratio?: { readonly median: number; readonly low: number; readonly high: number };
}
