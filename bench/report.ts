import type { BenchRow } from "./row.ts";

/** Everything a run has found, as `--json` writes it and `--against` reads it. */
export interface BenchReport {
	readonly format: "bench";
	readonly version: 1;
	/** ISO 8601. */
	readonly at: string;
	/** The commit that was measured, with `+` when its files had been changed. */
	readonly subject: string;
	/** The commit it was compared with. */
	readonly base?: string;
	readonly machine: {
		readonly node: string;
		readonly chromium?: string;
		readonly cpu: string;
		readonly cores: number;
		/** Load average of the last minute, before and after. */
		readonly load: readonly [before: number, after: number];
		/** Share of the processor, 0 to 1, that the machine's host gave to its other guests. */
		readonly stolen: number;
	};
	readonly rows: readonly BenchRow[];
}

/**
 * Reads what `--json` has written.
 * @throws Error with a sentence that says what is wrong with the file
 */
export function parseReport(text: string): BenchReport {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw new Error("This is no report: it is not JSON.");
	}
	const { format, version, subject, rows } = (value ?? {}) as Record<string, unknown>;
	if (format !== "bench" || version !== 1) {
		throw new Error('This is no report: its format must be "bench" and its version 1.');
	}
	const fits =
		typeof subject === "string" &&
		Array.isArray(rows) &&
		rows.every(
			(row: Partial<BenchRow> | null) =>
				typeof row?.name === "string" && Number.isFinite(row.value),
		);
	if (!fits) {
		throw new Error("This is no report: it must have a subject, and rows with name and value.");
	}
	return value as BenchReport;
}
