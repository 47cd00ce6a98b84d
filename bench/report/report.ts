import type { LiveReport } from "../probe.ts";
import type { Row } from "../row.ts";
import type { CountsByScenario } from "../tiers/counts.ts";

/** All that a run found, as `--json` writes it and `--against` reads it. */
export interface Report {
	readonly format: "bench";
	readonly version: 1;
	/** ISO 8601. */
	readonly at: string;
	/** What was measured: its commit, with `+` when files had been changed since. */
	readonly subject: string;
	/** What it was compared with. */
	readonly base?: string;
	readonly machine: {
		readonly node: string;
		readonly chromium?: string;
		readonly cpu: string;
		readonly cores: number;
		/** Load average of the last minute, before and after. */
		readonly load: readonly [before: number, after: number];
		/** Share of the processor, 0 to 1, that the machine's own host took while it was asked for. */
		readonly stolen: number;
	};
	readonly rows: readonly Row[];
	readonly counts?: CountsByScenario;
	/** A minute's part on the display's own frames, for `--html`. */
	readonly live?: readonly LiveReport[];
}

/**
 * Reads what `--json` has written.
 * @throws Error with a sentence that says what is wrong with the file
 */
export function parseReport(text: string): Report {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw new Error("This is no report: it is not JSON.");
	}
	const { format, version, subject, rows } = (value ?? {}) as Record<string, unknown>;
	if (format !== "bench" || version !== 1)
		throw new Error('This is no report: its format must be "bench" and its version 1.');
	const fits =
		typeof subject === "string" &&
		Array.isArray(rows) &&
		rows.every(
			(row: Partial<Row> | null) => typeof row?.name === "string" && Number.isFinite(row.value),
		);
	if (!fits)
		throw new Error("This is no report: it must have a subject, and rows with name and value.");
	return value as Report;
}
