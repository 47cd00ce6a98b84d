/** The script of the HTML report: tables of verdicts, then plots of a live run. */
import uPlot from "uplot";
import type { LiveReport } from "../probe.ts";
import { type Row, TIERS, TITLES } from "../row.ts";
import { format, sayStolen } from "./format.ts";
import type { Report } from "./report.ts";

const report = JSON.parse(document.querySelector("#report")!.textContent) as Report;
const main = document.querySelector("main")!;

function add<Name extends keyof HTMLElementTagNameMap>(
	parent: Element,
	name: Name,
	text = "",
	className = "",
): HTMLElementTagNameMap[Name] {
	const element = document.createElement(name);
	element.textContent = text;
	element.className = className;
	parent.append(element);
	return element;
}

function tone({ verdict }: Row): string {
	if (["within", "as fast", "faster"].includes(verdict)) return "good";
	return ["breach", "slower"].includes(verdict) ? "bad" : "unsure";
}

function addTable(title: string, rows: readonly Row[]): void {
	add(main, "h2", title);
	const table = add(add(main, "div", "", "wide"), "table");
	const head = add(add(table, "thead"), "tr");
	const hasBase = rows.some(({ base }) => base !== undefined);
	const columns = ["", "measured", "budget", ...(hasBase ? ["base"] : []), "unit", "verdict"];
	const kind = (name: string) => (["", "unit", "verdict"].includes(name) ? name : "number");
	for (const name of columns) add(head, "th", name, kind(name)).scope = "col";
	const body = add(table, "tbody");
	for (const row of rows) {
		const line = add(body, "tr");
		// Where there is no room for a column of units, they stand below the names.
		add(line, "td", row.name).dataset.unit = row.unit;
		add(line, "td", format(row.value), "number");
		add(line, "td", row.limit === undefined ? "" : format(row.limit), "number");
		if (hasBase) add(line, "td", row.base === undefined ? "" : format(row.base), "number");
		add(line, "td", row.unit, "unit");
		add(line, "td", row.verdict, `verdict ${tone(row)}`).title = row.note ?? row.reason;
		if (row.ratio || row.note) {
			const { ratio } = row;
			const times = ratio
				? `${ratio.median.toFixed(3)}x, between ${ratio.low.toFixed(3)} and ${ratio.high.toFixed(3)}. `
				: "";
			add(line.cells[0]!, "p", `${times}${row.note ?? ""}`);
		}
	}
}

const ink = () => getComputedStyle(document.body).color;
/** As the browser resolves it: a canvas cannot read the style sheet's own words for it. */
const line = () => getComputedStyle(document.querySelector(".wide")!).borderTopColor;
const sync = { key: "live" };
/** Wide enough for "10,000". */
const axis: uPlot.Axis = { stroke: ink, grid: { stroke: line }, ticks: { stroke: line }, size: 60 };

function addPlot(
	title: string,
	words: string,
	data: uPlot.AlignedData,
	series: uPlot.Series[],
	options: Partial<uPlot.Options> = {},
): void {
	add(main, "h2", title);
	add(main, "p", words);
	const holder = add(main, "div", "", "wide");
	const width = () => holder.clientWidth - 32;
	const named = options.axes?.[0]?.label;
	const x = typeof named === "string" ? named : "s";
	const plot = new uPlot(
		{
			width: width(),
			height: 260,
			cursor: { sync },
			scales: { x: { time: false } },
			axes: [{ ...axis, label: "s" }, axis],
			...options,
			series: [{ label: x, value: (_, at) => (at === null ? "" : at.toFixed(2)) }, ...series],
		},
		data,
		holder,
	);
	addEventListener("resize", () => plot.setSize({ width: width(), height: 260 }));
}

/** A point for each picture; what is told only four times a second holds until told again. */
function addFrames(live: readonly LiveReport[]): void {
	const columns: [number[], number[], number[], number[]] = [[], [], [], []];
	for (const { atMs, frameTimes, level, droppedTicks } of live) {
		let at = atMs - frameTimes.reduce((sum, ms) => sum + ms, 0);
		for (const ms of frameTimes) {
			at += ms;
			for (const [i, value] of [at / 1000, ms, level, droppedTicks].entries())
				columns[i]!.push(value);
		}
	}
	const stepped = uPlot.paths.stepped!({ align: 1 });
	addPlot(
		"Frame times",
		"From one picture to the next, on the display's own frames, with the level that quality chose and the ticks that stalls have cost.",
		columns,
		[
			{ label: "frame, ms", stroke: "#b565d8", width: 1, scale: "y" },
			{ label: "level", stroke: "#e8893c", width: 2, scale: "count", paths: stepped },
			{ label: "dropped ticks", stroke: "#d43f5e", width: 2, scale: "count", paths: stepped },
		],
		{
			axes: [
				{ ...axis, label: "s" },
				{ ...axis, label: "ms" },
				{ ...axis, label: "level, ticks", scale: "count", side: 1, grid: { show: false } },
			],
			scales: { x: { time: false }, y: { range: (_, _low, high) => [0, Math.max(40, high)] } },
		},
	);
	addHistogram(columns[1]);
}

function addHistogram(frameTimes: readonly number[]): void {
	const bins = Array.from({ length: 50 }, () => 0);
	for (const ms of frameTimes) bins[Math.min(bins.length - 1, Math.floor(ms / 2))]!++;
	addPlot(
		"Histogram of frame times",
		"Pictures by the ms that they came after the one before; the last bar has all from 98 ms on.",
		[bins.map((_, i) => i * 2), bins],
		[
			{
				label: "pictures",
				points: { show: false },
				stroke: "#b565d8",
				fill: "#b565d855",
				paths: uPlot.paths.bars!({ align: 1, size: [0.9] }),
			},
		],
		{
			cursor: {},
			axes: [
				{ ...axis, label: "ms" },
				{ ...axis, label: "pictures" },
			],
		},
	);
}

function addCounters(live: readonly LiveReport[]): void {
	const seconds = live.map(({ atMs }) => atMs / 1000);
	addPlot(
		"Allocation",
		"The page's heap in kB: it climbs with what is allocated and falls when garbage is collected.",
		[seconds, live.map(({ heapBytes }) => heapBytes / 1000)],
		[{ label: "heap, kB", stroke: "#3f8fd4", width: 2 }],
	);
	const each = (read: (one: LiveReport) => number) =>
		live.map((one) => read(one) / Math.max(1, one.frameTimes.length));
	addPlot(
		"GL counters",
		"For each picture, between one report of the player and the next; a frame that finds the GPU busy asks and draws nothing.",
		[
			seconds,
			each(({ gl }) => gl.calls),
			each(({ gl }) => gl.drawCalls),
			each(({ gl }) => gl.stateChanges),
			each(({ gl }) => gl.uniforms),
			live.map(({ gl }) => gl.objects),
		],
		[
			{ label: "calls", stroke: "#8a7a99" },
			{ label: "draw calls", stroke: "#b565d8", width: 2 },
			{ label: "state changes", stroke: "#3f8fd4" },
			{ label: "uniforms", stroke: "#2f9e6e" },
			{ label: "objects made", stroke: "#d43f5e" },
		],
		{ scales: { x: { time: false }, y: { range: (_, _low, high) => [0, Math.min(40, high)] } } },
	);
}

add(main, "h1", "The bench");
const { machine } = report;
add(
	main,
	"p",
	`${report.subject}${report.base ? ` against ${report.base}` : ""}, ${report.at}. ` +
		`Node ${machine.node}, Chromium ${machine.chromium ?? "not asked"}, ${machine.cores} x ${machine.cpu}, ` +
		`load ${machine.load.map((load) => load.toFixed(1)).join(" to ")}, ${sayStolen(machine.stolen)}.`,
);
for (const tier of TIERS) {
	const rows = report.rows.filter((row) => row.tier === tier);
	if (rows.length > 0) addTable(TITLES[tier], rows);
}
if (report.live) {
	addFrames(report.live);
	addCounters(report.live);
}
