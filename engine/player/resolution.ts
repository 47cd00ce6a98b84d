import type { Facts } from "../messages.ts";

/** The most pixels that are drawn, whatever the display: those of 2560 x 1440. */
const MOST_PIXELS = 2560 * 1440;

/** CSS px of a phone's window: zooming a page in makes its window as small, and smaller. */
const SMALL_AREA = 390 * 844;

/** The most device pixels for each CSS px that the levels of quality ask for. */
const MOST_OF_LEVELS = 2;

/** Growth or shrinkage of the area, or of the pixels in it, from which the device is judged anew. */
const OTHER_SIZE = 1.25;

type Size = Readonly<Pick<Facts, "width" | "height" | "pixelRatio">>;

/** What decides how many pixels each level of quality draws. */
export interface Resolution {
	/** CSS px of the canvas, width times height. */
	readonly area: number;
	/** The most device pixels for each CSS px that there is a use for. */
	readonly ratio: number;
	/**
	 * By how much the levels' own ratios grow where the page is zoomed in: what costs a device its time are
	 * its own pixels, and there are no more of them.
	 */
	readonly density: number;
}

/** The resolution of a canvas of this size. */
export function resolutionOf({ width, height, pixelRatio }: Size): Resolution {
	const area = width * height;
	const ratio = Math.min(pixelRatio, Math.sqrt(MOST_PIXELS / Math.max(1, area)));
	const density = Math.min(ratio / MOST_OF_LEVELS, Math.sqrt(SMALL_AREA / Math.max(1, area)));
	return { area, ratio, density: Math.max(1, density) };
}

/** Whether a resolution voids what was learned of the device at another one. */
export function isOtherSize(learned: Resolution, present: Resolution): boolean {
	return isOther(present.area / learned.area) || isOther((present.ratio / learned.ratio) ** 2);
}

function isOther(growth: number): boolean {
	return growth > OTHER_SIZE || growth < 1 / OTHER_SIZE;
}
