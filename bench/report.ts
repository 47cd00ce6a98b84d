import type { BenchRow } from "./row.ts";

/** Written by `--json`, read by `--against`. */
export interface BenchReport {
	readonly format: "bench";
	readonly version: 1;
	readonly at: string;
	/** The measured commit, with `+` if files had changed. */
	readonly subject: string;
	readonly base?: string;
	readonly machine: {
		readonly node: string;
		readonly chromium?: string;
		readonly cpu: string;
		readonly cores: number;
		/** Load average of the last minute, before and after. */
		readonly load: readonly [before: number, after: number];
		/** Share of CPU time, 0 to 1, stolen by the machine's host. */
		readonly stolen: number;
	};
	readonly rows: readonly BenchRow[];
}

/** @throws Error with a sentence about the file's mistake */
export function parseReport(text: string): BenchReport {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw new Error("Not a report: invalid JSON.");
	}
	const { format, version, subject, rows } = (value ?? {}) as Record<string, unknown>;
	if (format !== "bench" || version !== 1) {
		throw new Error('Not a report: its format must be "bench" and its version 1.');
	}
	const fits =
		typeof subject === "string" &&
		Array.isArray(rows) &&
		rows.every(
			(row: Partial<BenchRow> | null) =>
				typeof row?.name === "string" && Number.isFinite(row.value),
		);
	if (!fits) {
		throw new Error("Not a report: it needs a subject, and rows with name and value.");
	}
	return value as BenchReport;
}
