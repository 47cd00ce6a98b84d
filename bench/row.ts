/** Groups of rows. All except `times` have limits in budgets.json. */
export const TIERS = ["counts", "bytes", "pages", "allocations", "times"] as const;
export type Tier = (typeof TIERS)[number];

/** One value per column of the tier's table in budgets.json: per scenario, per page, or only one. */
export interface MeasuredRow {
	readonly tier: Exclude<Tier, "times">;
	readonly name: string;
	readonly values: readonly number[];
	/** Bytes of the brand's words and fonts in each value. */
	readonly own?: readonly number[];
}

export interface BudgetRow extends MeasuredRow {
	readonly verdict: "within" | "over";
	readonly columns: readonly string[];
	readonly limits: readonly number[];
	readonly base?: readonly number[];
	/** The WebGL methods that are called more or less often than in the base. */
	readonly note?: string;
}

/** A median with its 95% confidence interval. */
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

export const isFailing = ({ verdict }: Row): boolean => verdict === "over" || verdict === "slower";
