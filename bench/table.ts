import { type BenchRow, type BenchVerdict, TIERS, TITLES } from "./row.ts";

const MARKS: Readonly<Record<BenchVerdict, string>> = {
	within: "✓",
	"as fast": "✓",
	faster: "✓",
	breach: "✗",
	slower: "✗",
	"cannot tell": "?",
	void: "∅",
	"for reading": "·",
};

export function writeTable(rows: readonly BenchRow[]): string {
	return TIERS.flatMap((tier) => {
		const own = rows.filter((row) => row.tier === tier);
		if (own.length === 0) return [];
		const width = Math.max(...own.map(({ name }) => name.length));
		const lines = tier === "counts" ? countLines(own) : own.map((row) => line(row, width));
		return [TITLES[tier], ...lines, ""];
	}).join("\n");
}

function line(row: BenchRow, width: number): string {
	const value = row.ratio
		? `${row.ratio.median.toFixed(3)}x [${row.ratio.low.toFixed(3)}, ${row.ratio.high.toFixed(3)}]`
		: format(row.value);
	const limit = row.limit === undefined ? "" : `/ ${format(row.limit)}`;
	const base = row.base === undefined ? "" : `, base ${format(row.base)}`;
	const note = row.note ? `  (${row.note})` : "";
	return `  ${row.name.padEnd(width)} ${value.padStart(9)} ${limit.padEnd(10)} ${row.unit}${base}: ${verdict(row)}${note}`;
}

function verdict(row: BenchRow): string {
	return `${MARKS[row.verdict]} ${row.verdict}`;
}

/** A line per metric and a column per scenario. Rows with a note get an extra line below. */
function countLines(rows: readonly BenchRow[]): string[] {
	const metrics = new Map<string, BenchRow[]>();
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

function says(row: BenchRow): string {
	const base =
		row.base === undefined || row.base === row.value
			? []
			: [
					`base ${format(row.base)} (${row.value > row.base ? "+" : ""}${format(row.value - row.base)})`,
				];
	return [format(row.value), ...(row.note ? [row.note] : []), ...base].join("; ");
}

const WORST_FIRST: readonly BenchVerdict[] = ["breach", "slower", "void", "cannot tell"];

function worst(rows: readonly BenchRow[]): BenchRow {
	const rank = ({ verdict }: BenchRow) =>
		WORST_FIRST.includes(verdict) ? WORST_FIRST.indexOf(verdict) : WORST_FIRST.length;
	return rows.reduce((found, row) => (rank(row) < rank(found) ? row : found));
}

/** Keeps as many digits as are worth reading. */
export function format(value: number): string {
	const digits =
		Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 1 ? 2 : 3;
	return value.toLocaleString("en", { maximumFractionDigits: digits });
}
