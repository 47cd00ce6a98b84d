import { ARMS } from "./arms.ts";
import type { Comparison, PeerRow } from "./compare.ts";

/** A column for the rows with `count` sprites. The lowest rank is set in bold. */
interface Column {
	title: string;
	count: number;
	read: (row: PeerRow) => string;
	rank: (row: PeerRow) => number;
}

const ms = (value: number) => (value < 0.095 ? value.toFixed(3) : significant(value));
const kB = (bytes: number) => (bytes / 1000).toFixed(1);

function significant(value: number): string {
	const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
	return value.toFixed(digits);
}

function bytes(value: number): string {
	if (value < 1000) return `${Math.round(value)}`;
	if (value < 1e6) return `${significant(value / 1e3)} k`;
	return `${significant(value / 1e6)} M`;
}

const time = (row: PeerRow) =>
	row.workerMs > 0 ? `${ms(row.pageMs)} + ${ms(row.workerMs)}` : ms(row.pageMs);

function countsOf({ rows }: Comparison): number[] {
	return [...new Set(rows.map(({ count }) => count))];
}

const named = (count: number) => count.toLocaleString("en");

export function terminalTable(comparison: Comparison): string {
	const lines = [
		`${comparison.browser}, software GL on ${comparison.machine}, ${comparison.rounds} rounds, medians`,
	];
	for (const count of countsOf(comparison)) {
		const head = ["page ms", "worker ms", "ratio", "with worker", "bytes", "pictures/s", "kB"];
		lines.push("", [`${named(count)} sprites`.padEnd(32), ...head.map(padded)].join(""));
		for (const row of comparison.rows.filter((row) => row.count === count)) {
			lines.push(
				[
					row.title.padEnd(32),
					...[ms(row.pageMs), row.workerMs > 0 ? ms(row.workerMs) : "-"].map(padded),
					...[significant(row.ratio), significant(row.ratioOfAll)].map(padded),
					...[bytes(row.bytes), significant(row.picturesPerSecond), kB(row.shipped)].map(padded),
				].join(""),
			);
		}
	}
	return lines.join("\n");
}

const padded = (text: string) => text.padStart(13);

/** The chart and table of bench/README.md. The best number of each column is bold. */
export function readmeTable(comparison: Comparison): string {
	const counts = countsOf(comparison);
	const columns: Column[] = [
		...counts.map((count) => ({
			title: named(count),
			count,
			read: time,
			rank: ({ pageMs }: PeerRow) => pageMs,
		})),
		{
			title: "kB",
			count: counts[0]!,
			read: ({ shipped }) => kB(shipped),
			rank: ({ shipped }) => shipped,
		},
	];
	return [
		"![Main thread CPU time per picture, as ratios](peers/ratios.svg)",
		"",
		`${comparison.browser}, software GL on ${comparison.machine}.`,
		"",
		"CPU milliseconds per picture, main thread + worker, by number of sprites; kB shipped:",
		"",
		markdown(comparison, columns),
	].join("\n");
}

function markdown({ rows }: Comparison, columns: Column[]): string {
	const find = (arm: string, count: number) =>
		rows.find((row) => row.arm === arm && row.count === count);
	const best = columns.map(({ rank, count }) =>
		Math.min(
			...ARMS.map(({ name, isFloor }) => (isFloor ? undefined : find(name, count))).flatMap(
				(row) => (row ? [rank(row)] : []),
			),
		),
	);
	const cells = [
		["", ...columns.map(({ title }) => title)],
		...ARMS.map(({ name, title, isFloor }) => [
			title,
			...columns.map(({ read, rank, count }, place) => {
				const row = find(name, count);
				if (!row) return "";
				return !isFloor && rank(row) === best[place] ? `**${read(row)}**` : read(row);
			}),
		]),
	];
	const widths = cells[0]!.map((_, place) =>
		Math.max(3, ...cells.map((row) => row[place]!.length)),
	);
	const line = (row: string[]) =>
		`| ${row.map((cell, place) => (place ? cell.padStart(widths[place]!) : cell.padEnd(widths[place]!))).join(" | ")} |`;
	const rule = widths.map((width, place) =>
		place ? `${"-".repeat(width - 1)}:` : "-".repeat(width),
	);
	return [line(cells[0]!), line(rule), ...cells.slice(1).map(line)].join("\n");
}

const MARKERS = ["<!-- peers: written by the command -->", "<!-- peers end -->"] as const;

/** @throws Error without markers */
export function replaceMarked(document: string, text: string): string {
	const [before, after] = MARKERS.map((marker) => document.indexOf(marker));
	if (before! < 0 || after! < before!) {
		throw new Error(`bench/README.md has no "${MARKERS[0]}" and "${MARKERS[1]}" to write between.`);
	}
	return `${document.slice(0, before! + MARKERS[0].length)}\n\n${text}\n\n${document.slice(after)}`;
}
