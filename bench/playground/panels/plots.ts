import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { LADDER } from "../../../engine/player/quality/ladder.ts";
import type { Moment } from "../reference-simulation.ts";
import type { Playground } from "../state.ts";
import { createSampler, createSamples, quantile, type Samples, WINDOW_S } from "./samples.ts";

const TOP = LADDER.length - 1;

interface Line {
	label: string;
	/** A custom property of the style sheet. */
	color: string;
	/** Index into `Samples.reports`; frame times if undefined. */
	column?: number;
	scale?: "y" | "right";
	stepped?: boolean;
}

interface Plot {
	title: string;
	lines: readonly Line[];
	range: uPlot.Range.MinMax | ((least: number, most: number) => uPlot.Range.MinMax);
	/** The numbers as text, for screen readers and everyone else. */
	say(samples: Samples): string;
}

/** Width of an axis's numbers, and height of a plot with its time axis. */
const AXIS_PX = 44;
const HEIGHT_PX = 112;

/** 12,500 as 12.5k: axes are narrow. */
const brief = (value: number) => (value < 1000 ? `${value}` : `${value / 1000}k`);

/** The visible seconds: the first ones until they are full. */
const windowUpTo = (end: number): uPlot.Range.MinMax => {
	const to = Math.max(WINDOW_S, end);
	return [to - WINDOW_S, to];
};

const last = (values: readonly number[]) => values.at(-1) ?? Number.NaN;
const round = (value: number, digits = 0) => (Number.isNaN(value) ? "–" : value.toFixed(digits));
const fromZero =
	(least: number) =>
	(_: number, most: number): uPlot.Range.MinMax => [0, Math.max(least, most * 1.1 || 0)];
const stepped = uPlot.paths.stepped?.({ align: 1 });

const PLOTS: readonly Plot[] = [
	{
		title: "Frame time",
		lines: [{ label: "ms", color: "--line-1" }],
		range: fromZero(40),
		say: ({ frames: [, ms] }) =>
			`median ${round(quantile(ms, 0.5), 1)} ms, 95 % within ${round(quantile(ms, 0.95), 1)}, longest ${round(quantile(ms, 1), 1)}`,
	},
	{
		title: "Ticks",
		lines: [
			{ label: "per second", color: "--line-1", column: 1 },
			{ label: "dropped so far", color: "--line-2", column: 2, scale: "right", stepped: true },
		],
		range: fromZero(70),
		say: ({ reports }) =>
			`${round(last(reports[1]))} per second, ${round(last(reports[2]))} dropped`,
	},
	{
		title: "Quality",
		lines: [{ label: "level", color: "--line-1", column: 3, stepped: true }],
		range: [0, TOP + 0.5],
		say: ({ reports }) => `level ${round(last(reports[3]))} of ${TOP}`,
	},
	{
		title: "Counters",
		lines: [
			{ label: "alive", color: "--line-1", column: 6 },
			{ label: "draw calls", color: "--line-2", column: 4, stepped: true },
			{ label: "GL objects", color: "--line-3", column: 7, stepped: true },
			{ label: "bytes a picture", color: "--line-4", column: 5, scale: "right" },
		],
		range: fromZero(10),
		say: ({ reports }) =>
			`${round(last(reports[6]))} alive, ${round(last(reports[4]))} draw calls, ${round(last(reports[7]))} GL objects, ${round(last(reports[5]))} bytes a picture`,
	},
];

/** Live plots in a column, with one time axis and one cursor. */
export function showPlots(playground: Playground, place: HTMLElement, moment: () => Moment): void {
	const samples = createSamples();
	const sample = createSampler(samples);
	const shown = PLOTS.map((plot) => createPlot(plot, place, samples));

	playground.subscribe((state) => {
		if (sample(state, moment().alive)) for (const plot of shown) plot.draw();
	});
	for (const plot of shown) plot.draw();
	// A plot reads its colors when it is created.
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
		for (const plot of shown) plot.make();
	});
}

function createPlot({ title, lines, range, say }: Plot, place: HTMLElement, samples: Samples) {
	const figure = document.createElement("figure");
	const caption = document.createElement("figcaption");
	const name = Object.assign(document.createElement("strong"), { textContent: title });
	const words = Object.assign(document.createElement("span"), { className: "said" });
	const canvas = document.createElement("div");
	canvas.className = "plot";
	canvas.role = "img";
	caption.append(name, " ", words);
	const key = document.createElement("ul");
	key.className = "key";
	for (const { label, color } of lines.length > 1 ? lines : []) {
		const item = Object.assign(document.createElement("li"), { textContent: label });
		item.style.setProperty("--color", `var(${color})`);
		key.append(item);
	}
	figure.append(caption, canvas, key);
	place.append(figure);

	const ofFrames = lines.some(({ column }) => column === undefined);
	let plot: uPlot | undefined;

	function columns(): uPlot.AlignedData {
		if (ofFrames) return samples.frames as uPlot.AlignedData;
		return [samples.reports[0], ...lines.map(({ column = 0 }) => samples.reports[column]!)];
	}

	function make(): void {
		plot?.destroy();
		const style = getComputedStyle(figure);
		const ink = style.getPropertyValue("--ink-soft");
		const rule = style.getPropertyValue("--rule");
		const axis = {
			stroke: ink,
			font: `11px ${style.fontFamily}`,
			grid: { stroke: rule, width: 1 },
		};
		const hasRight = lines.some(({ scale }) => scale === "right");
		const options: uPlot.Options = {
			width: canvas.clientWidth || 300,
			height: HEIGHT_PX,
			// All plots have one width, so that a moment is at the same x in each.
			padding: [8, hasRight ? 0 : AXIS_PX, 0, 0],
			legend: { show: false },
			cursor: { sync: { key: "playground" }, y: false, drag: { x: false, y: false } },
			scales: {
				x: { time: false, range: (_, __, end) => windowUpTo(end ?? 0) },
				y: { range: typeof range === "function" ? (_, least, most) => range(least, most) : range },
				right: { range: (_, __, most) => [0, Math.max(10, most * 1.1 || 0)] },
			},
			axes: [
				{
					...axis,
					size: 28,
					space: 70,
					values: (_, ticks) => ticks.map((s) => `${s} s`),
				},
				{ ...axis, size: AXIS_PX, space: 26, values: (_, ticks) => ticks.map(brief) },
				...(hasRight
					? [
							{
								...axis,
								scale: "right",
								side: 1 as const,
								size: AXIS_PX,
								space: 26,
								values: (_: uPlot, ticks: number[]) => ticks.map(brief),
								grid: { show: false },
							},
						]
					: []),
			],
			series: [
				{},
				...lines.map(({ label, color, scale = "y", stepped: isStepped }) => ({
					label,
					scale,
					stroke: style.getPropertyValue(color),
					width: 1.5,
					points: { show: false },
					...(isStepped && stepped && { paths: stepped }),
				})),
			],
		};
		plot = new uPlot(options, columns(), canvas);
	}

	function draw(): void {
		plot?.setData(columns());
		const said = samples.reports[0].length === 0 ? "nothing yet: press Play" : say(samples);
		words.textContent = said;
		canvas.ariaLabel = `${title}: ${said}`;
	}

	make();
	new ResizeObserver(() => {
		if (canvas.clientWidth > 0) plot?.setSize({ width: canvas.clientWidth, height: HEIGHT_PX });
	}).observe(canvas);
	return { draw, make };
}
