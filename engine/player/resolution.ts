import type { Facts } from "../messages.ts";

/** The most pixels that are drawn, whatever the display: those of 2560 x 1440. */
const MOST_PIXELS = 2560 * 1440;

/** Growth or shrinkage of the area, or of the pixels in it, from which the device is judged anew. */
const OTHER_SIZE = 1.25;

type Size = Readonly<Pick<Facts, "width" | "height" | "pixelRatio">>;

/** What decides how many pixels each level of quality draws. */
export interface Resolution {
	/** CSS px of the canvas, width times height. */
	readonly area: number;
	/** The most device pixels for each CSS px that there is a use for. */
	readonly ratio: number;
}

/** The resolution of a canvas of this size. */
export function resolutionOf({ width, height, pixelRatio }: Size): Resolution {
	const area = width * height;
	return { area, ratio: Math.min(pixelRatio, Math.sqrt(MOST_PIXELS / Math.max(1, area))) };
}

/** Whether a resolution voids what was learned of the device at another one. */
export function isOtherSize(learned: Resolution, present: Resolution): boolean {
	return isOther(present.area / learned.area) || isOther((present.ratio / learned.ratio) ** 2);
}

function isOther(growth: number): boolean {
	return growth > OTHER_SIZE || growth < 1 / OTHER_SIZE;
}
