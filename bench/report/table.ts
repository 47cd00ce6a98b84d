import { type Row, TIERS, TITLES, type Verdict } from "../row.ts";
import { format } from "./format.ts";

const MARKS: Readonly<Record<Verdict, string>> = {
	within: "✓",
	"as fast": "✓",
	faster: "✓",
	breach: "✗",
	slower: "✗",
	"cannot tell": "?",
	void: "∅",
};

/** All rows as a person reads them in a terminal. */
export function writeTable(rows: readonly Row[]): string {
	return TIERS.flatMap((tier) => {
		const own = rows.filter((row) => row.tier === tier);
		if (own.length === 0) return [];
		const width = Math.max(...own.map(({ name }) => name.length));
		const lines = tier === "counts" ? countLines(own) : own.map((row) => line(row, width));
		return [TITLES[tier], ...lines, ""];
	}).join("\n");
}

function line(row: Row, width: number): string {
	const value = row.ratio
		? `${row.ratio.median.toFixed(3)}x [${row.ratio.low.toFixed(3)}, ${row.ratio.high.toFixed(3)}]`
		: format(row.value);
	const limit = row.limit === undefined ? "" : `/ ${format(row.limit)}`;
	const base = row.base === undefined ? "" : `, base ${format(row.base)}`;
	const note = row.note ? `  (${row.note})` : "";
	return `  ${row.name.padEnd(width)} ${value.padStart(9)} ${limit.padEnd(10)} ${row.unit}${base}: ${verdict(row)}${note}`;
}

function verdict(row: Row): string {
	return `${MARKS[row.verdict]} ${row.verdict}`;
}

/** One line for each metric, one column for each scenario; what is not within says why below. */
function countLines(rows: readonly Row[]): string[] {
	const metrics = new Map<string, Row[]>();
	for (const row of rows) {
		const [metric = ""] = row.name.split(", ");
		metrics.set(metric, [...(metrics.get(metric) ?? []), row]);
	}
	const scenarios = [...metrics.values()][0]!.map(({ name }) => name.split(", ")[1] ?? "");
	const cells = (texts: readonly string[]) => texts.map((text) => text.padStart(14)).join("");
	return [
		`  ${"".padEnd(20)}${cells(scenarios)}`,
		...[...metrics].flatMap(([metric, own]) => [
			`  ${metric.padEnd(20)}${cells(own.map(({ value }) => format(value)))}   ${verdict(worst(own))}`,
			...own
				.filter(
					(row) => row.note !== undefined || (row.base !== undefined && row.base !== row.value),
				)
				.map((row) => `    ${row.name}: ${says(row)}`),
		]),
	];
}

function says(row: Row): string {
	const base =
		row.base === undefined || row.base === row.value
			? []
			: [
					`base ${format(row.base)} (${row.value > row.base ? "+" : ""}${format(row.value - row.base)})`,
				];
	return [format(row.value), ...(row.note ? [row.note] : []), ...base].join("; ");
}

const WORST_FIRST: readonly Verdict[] = ["breach", "slower", "void", "cannot tell"];

/** The row that matters most. */
function worst(rows: readonly Row[]): Row {
	const rank = ({ verdict }: Row) =>
		WORST_FIRST.includes(verdict) ? WORST_FIRST.indexOf(verdict) : WORST_FIRST.length;
	return rows.reduce((found, row) => (rank(row) < rank(found) ? row : found));
}
