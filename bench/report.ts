/** Formats the report of `npm run bench`: all rows, then those over budget or slower. */
import { styleText } from "node:util";
import { type BudgetRow, isFailing, type Row, TIERS, type Tier, type TimeRow } from "./row.ts";

const TITLES: Readonly<Record<Tier, string>> = {
	counts: "Counts in 600 frames",
	bytes: "Engine, bytes as brotli",
	pages: "First visit to a page",
	allocations: "Bytes allocated",
	times: "Times in Chromium on software GL",
};

const paint = (format: "bold" | "red" | "green", text: string): string =>
	process.stdout.isTTY ? styleText(format, text) : text;

export function formatReport(rows: readonly Row[], base?: string): string {
	const tables = TIERS.flatMap((tier) => {
		const own = rows.filter((row) => row.tier === tier);
		if (own.length === 0) return [];
		const head =
			tier === "times"
				? headOf(TITLES[tier], ["base", "now"], "0.8x     1    1.25x")
				: headOf(TITLES[tier], ["now", "limit"], "of the limit", base && "since the base");
		return [
			"",
			head,
			...own.map((row) => (row.tier === "times" ? timeLine(row) : budgetLine(row))),
		];
	});
	return [...tables, "", ...conclude(rows, base)].join("\n");
}

function headOf(title: string, [one, other]: [string, string], bar: string, change = ""): string {
	const cells = `${title.padEnd(36)}${one.padStart(11)}${other.padStart(11)}`;
	return paint("bold", `${cells}  ${bar.padEnd(BAR + 1)} ${change}`.trimEnd());
}

function lineOf(row: Row, column: string, one: string, other: string, rest: string): string {
	const name = `${row.name.padEnd(20)}${column}`;
	const text = `${MARKS[row.verdict]} ${name.padEnd(34)}${one.padStart(11)}${other.padStart(11)}  ${rest}`;
	const color = isFailing(row) ? "red" : row.verdict === "faster" ? "green" : undefined;
	return color ? paint(color, text.trimEnd()) : text.trimEnd();
}

const MARKS: Readonly<Record<Row["verdict"], string>> = {
	within: "✓",
	same: "✓",
	faster: "✓",
	over: "✗",
	slower: "✗",
	"cannot tell": "?",
};

const BAR = 18;

/** Picks the column farthest from its count or over its limit; within limits, the one that changed most. */
function budgetLine(row: BudgetRow): string {
	const { columns, values, limits, base, verdict, tier } = row;
	const rank = (i: number) => {
		const used = shareOf(values[i]!, limits[i]!);
		if (verdict === "over") return tier === "counts" ? Math.abs(used - 1) : used;
		const moved = Math.abs(shareOf(values[i]!, base?.[i] ?? values[i]!) - 1);
		return moved * 1e6 + used;
	};
	const shown = columns.reduce((most, _, i) => (rank(i) > rank(most) ? i : most), 0);
	const [value, limit] = [values[shown]!, limits[shown]!];
	const filled = Math.min(BAR, Math.round(shareOf(value, limit) * BAR));
	const bar = `${"█".repeat(filled)}${"░".repeat(BAR - filled)}${value > limit ? "▶" : " "}`;
	const change = base ? changeOf(value, base[shown]!) : "";
	const column = columns.length > 1 ? columns[shown]! : "";
	return lineOf(row, column, format(value), format(limit), `${bar} ${change}`);
}

const shareOf = (value: number, of: number) => (value === of ? 1 : value / Math.max(of, 1e-3));

/** Ignores changes of up to 1% in averages, which differ slightly between runs. */
const isMoved = (value: number, base: number) =>
	Number.isInteger(value) ? value !== base : Math.abs(value / base - 1) > 0.01;

function changeOf(value: number, base: number): string {
	if (!isMoved(value, base)) return "";
	const percent = base === 0 ? "" : ` (${formatSigned((value / base - 1) * 100)}%)`;
	return `${formatSigned(value - base)}${percent}`;
}

/** Draws the ratio's confidence interval on an axis, with ● for the median. */
function timeLine(row: TimeRow): string {
	const { name, us, baseUs, ratio, verdict } = row;
	const place = (of: number) => {
		const at = Math.round((Math.log(of) / Math.log(1.25) + 1) * (BAR / 2));
		return Math.min(BAR, Math.max(0, at));
	};
	const axis: string[] = Array.from({ length: BAR + 1 }, (_, i) => (i === BAR / 2 ? "┼" : "·"));
	for (let i = place(ratio.low); i <= place(ratio.high); i++) axis[i] = "━";
	axis[place(ratio.median)] = "●";
	const isPicture = name === "picture";
	const write = (time: number) => (isPicture ? `${format(1e6 / time)} /s` : `${format(time)} µs`);
	const interval = [ratio.low, ratio.high].map((end) => end.toFixed(2)).join(" to ");
	const rest = `${axis.join("")} ${verdict}, takes ${ratio.median.toFixed(2)}x (${interval})`;
	return lineOf(row, "", write(baseUs), write(us), rest);
}

export function formatProfile(shares: ReadonlyMap<string, number>): string {
	const most = [...shares].sort(([, a], [, b]) => b - a).slice(0, 15);
	const lines = most.map(([name, share]) => {
		const percent = `${(share * 100).toFixed(1)}%`.padStart(7);
		return `${percent}  ${(name || "anonymous").padEnd(24)} ${"█".repeat(Math.round(share * 50))}`;
	});
	return lines.join("\n").replace(/ +$/gm, "");
}

function conclude(rows: readonly Row[], base?: string): string[] {
	const red = rows.filter(isFailing);
	const over = rows.some(({ verdict }) => verdict === "over");
	const moved = rows.filter(hasMoved);
	const since = base ? ` ${moved.length} of ${rows.length} rows moved since ${base}.` : "";
	const slower = red.length > 0 ? "✗ Within budget, but slower." : "✓ Within budget.";
	const sentence = over ? "✗ Not within budget." : slower;
	return [
		paint(red.length > 0 ? "red" : "green", sentence + since),
		...red.map((row) => `  ${row.name}: ${explain(row)}\n    ${more(row)}`),
	];
}

function more({ tier, name }: Row): string {
	switch (tier) {
		case "counts":
			return "npm run bench:page shows WebGL calls; --only counts --update accepts new counts";
		case "bytes":
		case "pages":
			return "ls -lS dist/site/assets/*.br lists the files as sent";
		case "allocations":
			return "npm run bench -- --profile a.heapprofile shows which functions allocate";
		case "times":
			if (name === "picture") return "git diff -- engine/render/gl shows the shaders' changes";
			return "npm run bench -- --profile a.cpuprofile shows where the time goes";
	}
}

function hasMoved(row: Row): boolean {
	if (row.tier === "times") return row.verdict === "faster" || row.verdict === "slower";
	return row.base?.some((base, i) => isMoved(row.values[i]!, base)) ?? false;
}

function explain(row: Row): string {
	if (row.tier === "times") return `slower, takes ${row.ratio.median.toFixed(2)} times as long`;
	const { tier, columns, values, limits, note } = row;
	const cells = columns.flatMap((column, i) => {
		const off = values[i]! - limits[i]!;
		return off > 0 || (off < 0 && tier === "counts") ? [`${formatSigned(off)} in ${column}`] : [];
	});
	return `off its limit, ${cells.join(", ")}${note ? ` (${note})` : ""}`;
}

export const formatSigned = (value: number): string => `${value > 0 ? "+" : ""}${format(value)}`;

function format(value: number): string {
	const digits =
		Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 1 ? 1 : 3;
	return value.toLocaleString("en", { maximumFractionDigits: digits });
}
