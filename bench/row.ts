/** Groups of rows. All but `times` have limits in budgets.json. */
export const TIERS = ["counts", "bytes", "pages", "allocations", "times"] as const;
export type Tier = (typeof TIERS)[number];

/** One value per column. Columns are scenarios, pages, or a single one. */
export interface MeasuredRow {
	readonly tier: Exclude<Tier, "times">;
	readonly name: string;
	readonly values: readonly number[];
	/** Bytes that each value includes for the brand's words and fonts. */
	readonly own?: readonly number[];
}

export interface BudgetRow extends MeasuredRow {
	readonly verdict: "within" | "over";
	readonly columns: readonly string[];
	readonly limits: readonly number[];
	readonly base?: readonly number[];
	/** WebGL calls that explain a difference from the base. */
	readonly note?: string;
}

/** A median, and the interval that contains the true median in 95 % of runs. */
export interface MedianEstimate {
	readonly median: number;
	readonly low: number;
	readonly high: number;
}

export interface TimeRow {
	readonly tier: "times";
	readonly name: string;
	readonly verdict: "faster" | "slower" | "same" | "cannot tell";
	/** µs per call. */
	readonly us: number;
	readonly baseUs: number;
	readonly ratio: MedianEstimate;
}

export type Row = BudgetRow | TimeRow;

export const isRed = ({ verdict }: Row): boolean => verdict === "over" || verdict === "slower";
