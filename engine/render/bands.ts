import { smooth } from "../simulation/index.ts";

/**
 * Where floats have room beside words. On a phone words take the window from side to side: floats cross
 * them in little of their time, and spend the rest of it above and below. On a wide screen they rise past
 * the words on either side.
 */

/** Places of the numbers, all in CSS px. */
export const BANDS = {
	words: 0, // where the words begin, from the top
	below: 1, // and end
	footer: 2, // where the footer's words begin, or the window ends
	half: 3, // how far the words reach to either side of the middle
	length: 4,
} as const;

export type Bands = Float32Array<ArrayBuffer>;

/**
 * Shares of the height of the world, from its top: a float comes over the footer, to the words, has passed
 * them, and is out of sight.
 */
export const CROSSING = { footer: 1, words: 0.65, above: 0.5, gone: -0.1 } as const;

/** Share of the width of a window: words that take less leave room beside them, those that take more none. */
export const WIDE = [0.55, 0.76] as const;

/** How little room there is beside words: 0 on a wide screen, 1 on a phone. */
export const wideOf = (bands: Bands, width: number): number =>
	smooth(((2 * bands[BANDS.half]) / width - WIDE[0]) / (WIDE[1] - WIDE[0]));

/** Share of the height in which a float goes aside for words, before it comes to them and after. */
export const BESIDE = 0.3;

/** Words whose middle is higher or lower are the masthead or the footer: shares of the height. */
const CENTRE = [0.15, 0.85] as const;

/** Share of a window that words take at least: the masthead has less, also where it lies lower. */
const LEAST = 0.045;

/** Ticks in which bands come half of the way to where words have moved: no float leaps. */
const HALF_TICKS = 9;

/** Writes the bands that quiet zones leave in a window: x, y, width, height of each in CSS px. */
export function writeBands(
	bands: Bands,
	zones: ArrayLike<number>,
	width: number,
	height: number,
): void {
	let [top, bottom, footer, half] = [height / 2, height / 2, height, 0];
	for (let i = 0; i + 3 < zones.length; i += 4) {
		const [x, y, across, high] = [zones[i], zones[i + 1], zones[i + 2], zones[i + 3]];
		const middle = (y + high / 2) / height;
		if (across === 0 || middle < CENTRE[0]) continue;
		if (middle > CENTRE[1]) {
			if (across > WIDE[0] * width) footer = Math.min(footer, y);
			continue;
		}
		if (across * high < LEAST * width * height) continue;
		top = Math.min(top, y);
		bottom = Math.max(bottom, y + high);
		half = Math.max(half, width / 2 - x, x + across - width / 2);
	}
	bands[BANDS.words] = Math.max(0, top);
	bands[BANDS.below] = bottom;
	bands[BANDS.footer] = Math.max(footer, bottom);
	bands[BANDS.half] = Math.min(half, width / 2);
}

/** Px by which a float in the middle makes way for words at a height. */
export function besideWords(y: number, reach: number, height: number, bands: Bands): number {
	const middle = (bands[BANDS.words] + bands[BANDS.below]) / 2;
	const half = (bands[BANDS.below] - bands[BANDS.words]) / 2 + reach;
	if (bands[BANDS.half] === 0) return 0;
	return (
		(bands[BANDS.half] + reach) * smooth(1 - (Math.abs(y - middle) - half) / (BESIDE * height))
	);
}

/** How far something has come between two places, from 0 to 1. */
const part = (share: number, start: number, end: number): number =>
	Math.min(1, Math.max(0, (share - start) / (end - start)));

/** Height at which a float is seen that crosses the words in little of its time. */
export function crossing(y: number, reach: number, height: number, bands: Bands): number {
	const [above, below] = [bands[BANDS.words] - reach, bands[BANDS.below] + reach];
	const between = (bands[BANDS.below] + bands[BANDS.footer]) / 2;
	const from = Math.min(below, between);
	const to = Math.max(bands[BANDS.footer] - reach, between);
	const share = y / height;
	return (
		-reach +
		(above + reach) * part(share, CROSSING.gone, CROSSING.above) +
		(from - above) * part(share, CROSSING.above, CROSSING.words) +
		(to - from) * part(share, CROSSING.words, CROSSING.footer) +
		(height + reach - to) * part(share, CROSSING.footer, 1 - CROSSING.gone)
	);
}

/** Whether bands are where they should be. Each frame asks: a loop, as a callback's numbers are boxed. */
export function areThere(bands: Bands, to: Bands): boolean {
	let i = 0;
	while (i < BANDS.length && bands[i] === to[i]) i++;
	return i === BANDS.length;
}

/**
 * Bands on their way to others: `bands` itself where they are there. They are there at once where no time
 * has passed, or much.
 */
export function moveBands(bands: Bands, to: Bands, ticks: number): Bands {
	if (areThere(bands, to)) return bands;
	const left = ticks > 0 && ticks < 60 ? 2 ** (-ticks / HALF_TICKS) : 0;
	return bands.map((from, i) =>
		Math.abs(to[i] - from) > 0.25 ? to[i] + (from - to[i]) * left : to[i],
	);
}
