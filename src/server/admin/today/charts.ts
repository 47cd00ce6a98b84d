import { type Html, html } from "../../html.ts";

/** Size of a picture in its own units. The style sheet stretches it, and its lines keep their width. */
const [WIDTH, HEIGHT] = [480, 160];

/** The next number that people count in, even where it is halved: 2, 4, 6, 10, 20, 40, 60, 100, … */
export function niceAbove(most: number): number {
	const power = 10 ** Math.floor(Math.log10(Math.max(2, most)));
	return [1, 2, 4, 6, 10].map((step) => step * power).find((nice) => nice >= Math.max(2, most))!;
}

/** The running sums of counts, from 0 on. */
export function runningSums(counts: readonly number[]): number[] {
	let sum = 0;
	return [0, ...counts.map((count) => (sum += count))];
}

/** One series of a picture, as the `d` of one path. */
function linePath(points: readonly (readonly [number, number])[]): string {
	return points.map(([x, y], n) => `${n === 0 ? "M" : "L"}${round(x)} ${round(y)}`).join("");
}

const round = (value: number) => Math.round(value * 10) / 10;

/** Scales shares of the width and of a number to the picture. */
const placeIn = (top: number) => (share: number, value: number) =>
	[share * WIDTH, HEIGHT - (value / top) * HEIGHT] as const;

/** Three numbers beside a picture, whose lines are at the same heights. */
const axis = (top: number) =>
	html`<ol class="axis" aria-hidden="true">${[top, top / 2, 0].map((value) => html`<li>${value.toLocaleString("en")}</li>`)}</ol>`;

const GRID = `M0 0H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT}H${WIDTH}`;

function picture(said: string, top: number, words: readonly string[], paths: Html): Html {
	return html`<div class="chart">${axis(top)}<svg viewBox="0 0 ${String(WIDTH)} ${String(HEIGHT)}" preserveAspectRatio="none" role="img" aria-label="${said}"><path class="grid" d="${GRID}"/>${paths}</svg>
<ol class="ticks" aria-hidden="true">${words.map((word) => html`<li>${word}</li>`)}</ol></div>`;
}

/**
 * Draws how many joined since midnight over the same of yesterday.
 *
 * @param hours how many joined in each hour; of today's, the last one is this hour
 * @param passed share of the day that is over
 */
export function dayChart(
	hours: { today: readonly number[]; yesterday: readonly number[] },
	passed: number,
): Html {
	const [today, yesterday] = [runningSums(hours.today), runningSums(hours.yesterday)];
	const [sum, before] = [today.at(-1)!, yesterday.at(-1)!];
	const top = niceAbove(Math.max(sum, before));
	const place = placeIn(top);
	const line = (sums: readonly number[], until: number) =>
		linePath(sums.map((value, hour) => place(Math.min(hour / 24, until), value)));
	const said = `Joined since midnight: ${sum.toLocaleString("en")} today so far, ${before.toLocaleString("en")} in all of yesterday.`;
	return picture(
		said,
		top,
		["0:00", "6:00", "12:00", "18:00", "24:00"],
		html`<path class="earlier" d="${line(yesterday, 1)}"/><path class="current" d="${line(today, passed)}"/><path class="head" d="${linePath([place(passed, sum)])}h0"/>`,
	);
}

/** Draws a bar for each day, all in one path. */
export function daysChart(days: readonly { name: string; joined: number }[]): Html {
	const most = Math.max(...days.map(({ joined }) => joined));
	const top = niceAbove(most);
	const place = placeIn(top);
	const width = WIDTH / days.length;
	const bars = days
		.filter(({ joined }) => joined > 0)
		.map((day) => {
			const [x, y] = place(days.indexOf(day) / days.length, day.joined);
			return `M${round(x + width * 0.15)} ${HEIGHT}V${round(y)}h${round(width * 0.7)}V${HEIGHT}z`;
		})
		.join("");
	const said = `Joined by day, from ${days[0]!.name} to ${days.at(-1)!.name}: ${most.toLocaleString("en")} at most.`;
	return picture(
		said,
		top,
		[days[0]!.name.slice(5), "Today"],
		bars ? html`<path class="bars" d="${bars}"/>` : html``,
	);
}
