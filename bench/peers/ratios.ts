import { ARMS, BASE } from "./arms.ts";
import type { Comparison, PeerRow } from "./compare.ts";

const WIDTH = 760;
const LEFT = 210;
const RIGHT = 24;
const TOP = 58;
const LINE = 15;
const GAP = 14;

/** From few sprites to many. They differ in lightness as well as in hue. */
const COLORS = ["#f2a65a", "#e0669b", "#8f6bd9", "#3f7fd6"];

/**
 * A logarithmic axis, a row per arm and a bar per number of sprites. Bars start at 1 (the engine on
 * the page's thread) and go left for less, right for more. A thin bar extends to the ratio with the
 * worker's time. Text uses the reader's colors.
 */
export function ratiosSvg({ rows, browser }: Comparison): string {
	const arms = ARMS.filter(({ isFloor, name }) => !isFloor && name !== BASE);
	const counts = [...new Set(rows.map(({ count }) => count))];
	const values = rows.flatMap(({ ratio, ratioOfAll }) => [ratio, ratioOfAll]);
	const from = Math.floor(Math.log10(Math.min(...values, 0.5)));
	const to = Math.ceil(Math.log10(Math.max(...values, 2)));
	const x = (value: number) => {
		const share = (Math.log10(value) - from) / (to - from);
		return LEFT + Math.min(1, Math.max(0, share)) * (WIDTH - LEFT - RIGHT);
	};
	const group = counts.length * LINE + GAP;
	const bottom = TOP + arms.length * group;

	const axis = Array.from({ length: to - from + 1 }, (_, step) => {
		const value = 10 ** (from + step);
		const title =
			value < 1
				? `1/${Math.round(1 / value).toLocaleString("en")}`
				: `${value.toLocaleString("en")} ×`;
		return (
			`<path class="${value === 1 ? "one" : "grid"}" d="M${round(x(value))} ${TOP - 8}V${bottom}"/>` +
			`<text class="quiet" text-anchor="middle" x="${round(x(value))}" y="${bottom + 18}">${title}</text>`
		);
	});
	const legend = counts.map(
		(count, place) =>
			`<rect x="${LEFT + place * 108}" y="26" width="10" height="10" rx="2" fill="${COLORS[place]}"/>` +
			`<text class="quiet" x="${LEFT + place * 108 + 16}" y="35">${count.toLocaleString("en")} sprites</text>`,
	);
	const bars = arms.flatMap(({ name, title }, place) => {
		const top = TOP + place * group;
		const middle = top + (counts.length * LINE) / 2 + 4;
		return [
			`<text text-anchor="end" x="${LEFT - 14}" y="${round(middle)}">${title}</text>`,
			...counts.flatMap((count, line) => {
				const row = rows.find((row) => row.arm === name && row.count === count);
				return row ? [barOf(row, top + line * LINE, COLORS[line]!, x)] : [];
			}),
		];
	});
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + 28}" role="img" aria-labelledby="title">
<title id="title">CPU time of the page's thread for each picture, against Orbit's engine on the page's thread, in ${browser}; 1 is the same. Thin: with the worker's time.</title>
<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.quiet { font-size: 12px; fill: #59636e }
.grid { stroke: #d1d9e0 }
.one { stroke: #59636e }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc }
.quiet { fill: #9198a1 }
.grid { stroke: #3d444d }
.one { stroke: #9198a1 }
}
</style>
<text x="${LEFT}" y="14">CPU time of the page's thread for a picture; 1 is Orbit on the page</text>
${[...legend, ...axis, ...bars].join("\n")}
</svg>
`;
}

function barOf(row: PeerRow, top: number, color: string, x: (value: number) => number): string {
	const bar = (from: number, to: number, y: number, height: number) =>
		`<rect x="${round(Math.min(from, to))}" y="${round(y)}" width="${round(Math.max(1.5, Math.abs(to - from)))}" height="${height}" rx="1" fill="${color}"/>`;
	const end = x(row.ratio);
	const solid = bar(x(1), end, top + 2, 10);
	if (row.workerMs === 0) return solid;
	return solid + bar(end, x(row.ratioOfAll), top + 6, 2);
}

const round = (value: number) => Math.round(value * 10) / 10;
