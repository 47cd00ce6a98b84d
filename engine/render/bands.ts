import { smoothstep } from "../simulation/index.ts";

/**
 * On a phone, words span the window: half of the floats rise below them, and half above. On a wide
 * screen, floats rise on either side of the words.
 */

/** Indices; the values are in CSS px. */
export const WORD_BANDS = {
	words: 0, // top edge
	below: 1, // bottom edge
	footer: 2, // top of the footer, or the window's bottom
	halfWidth: 3, // from the window's center to the words' farther side
	length: 4,
} as const;

export type WordBands = Float32Array<ArrayBuffer>;

/**
 * Shares of the window's height, from the top. While a float without bands would rise from the second
 * to the first, it rises through its band `above` or `below` the words; in `start`, to the footer.
 */
export const BAND_RISE = { above: [0.3, 1.04], below: [0.5, 1], start: [1, 1.06] } as const;

/** Floats have room beside words narrower than the first share of the window, none from the second on. */
export const WIDE_WORDS = [0.55, 0.76] as const;

/** 0 if there is room beside the words, 1 if they span the window. */
export const wordsSpanShare = (bands: WordBands, width: number): number =>
	smoothstep(
		((2 * bands[WORD_BANDS.halfWidth]) / width - WIDE_WORDS[0]) / (WIDE_WORDS[1] - WIDE_WORDS[0]),
	);

/** Share of the window's height over which a float moves aside before and after words. */
export const STEP_ASIDE_HEIGHT_SHARE = 0.3;

/** Blocks centered above the first share of the height are the masthead, below the second the footer. */
const CENTER = [0.15, 0.85] as const;

/** Floats ignore text blocks smaller than this share of the window's area. */
const LEAST = 0.045;

/** Bands follow new words with this half-life in ticks, so that no float jumps. */
const HALF_TICKS = 9;

export function writeWordBands(
	bands: WordBands,
	zones: ArrayLike<number>,
	width: number,
	height: number,
): void {
	let [top, bottom, footer, half] = [height / 2, height / 2, height, 0];
	for (let i = 0; i + 3 < zones.length; i += 4) {
		const [x, y, across, high] = [zones[i], zones[i + 1], zones[i + 2], zones[i + 3]];
		const middle = (y + high / 2) / height;
		if (across === 0 || middle < CENTER[0]) continue;
		if (middle > CENTER[1]) {
			if (across > WIDE_WORDS[0] * width) footer = Math.min(footer, y);
			continue;
		}
		if (across * high < LEAST * width * height) continue;
		top = Math.min(top, y);
		bottom = Math.max(bottom, y + high);
		half = Math.max(half, width / 2 - x, x + across - width / 2);
	}
	bands[WORD_BANDS.words] = Math.max(0, top);
	bands[WORD_BANDS.below] = bottom;
	bands[WORD_BANDS.footer] = Math.max(footer, bottom);
	bands[WORD_BANDS.halfWidth] = Math.min(half, width / 2);
}

/** Px on either side of the window's center that words block at `y`. */
export function wordsHalfWidthAt(
	y: number,
	reach: number,
	height: number,
	bands: WordBands,
): number {
	const middle = (bands[WORD_BANDS.words] + bands[WORD_BANDS.below]) / 2;
	const half = (bands[WORD_BANDS.below] - bands[WORD_BANDS.words]) / 2 + reach;
	if (bands[WORD_BANDS.halfWidth] === 0) return 0;
	return (
		(bands[WORD_BANDS.halfWidth] + reach) *
		smoothstep(1 - (Math.abs(y - middle) - half) / (STEP_ASIDE_HEIGHT_SHARE * height))
	);
}

const part = (share: number, range: readonly [number, number]): number =>
	(share - range[0]) / (range[1] - range[0]);

/** A float's y in its band above or below words that span the window. */
export function yInBand(
	y: number,
	reach: number,
	height: number,
	bands: WordBands,
	isAbove: boolean,
): number {
	const top = bands[WORD_BANDS.words];
	const bottom = bands[WORD_BANDS.below];
	const share = y / height;
	if (isAbove) return top * part(share, BAND_RISE.above) - reach;
	const middle = (bottom + bands[WORD_BANDS.footer]) / 2;
	const from = Math.min(bottom + reach, middle);
	const to = Math.max(bands[WORD_BANDS.footer] - reach, middle);
	const way = part(Math.min(1, share), BAND_RISE.below);
	const sunk = Math.max(0, part(share, BAND_RISE.start));
	// Past its band, a float stays hidden behind the words.
	return Math.max((top + bottom) / 2, from + (to - from) * way) + (height + reach - to) * sunk;
}

/** A loop, because V8 would box a callback's numbers in every frame. */
export function areEqualBands(bands: WordBands, to: WordBands): boolean {
	let i = 0;
	while (i < WORD_BANDS.length && bands[i] === to[i]) i++;
	return i === WORD_BANDS.length;
}

/** Eases `bands` toward `to`: a new array unless they are equal. Jumps after more than a second. */
export function easeBands(bands: WordBands, to: WordBands, ticks: number): WordBands {
	if (areEqualBands(bands, to)) return bands;
	const left = ticks > 0 && ticks < 60 ? 2 ** (-ticks / HALF_TICKS) : 0;
	return bands.map((from, i) =>
		Math.abs(to[i] - from) > 0.25 ? to[i] + (from - to[i]) * left : to[i],
	);
}
