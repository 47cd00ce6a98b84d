import type { Facts } from "../messages.ts";

/** The most pixels that are drawn, whatever the display: those of 2560 x 1440. */
const MOST_PIXELS = 2560 * 1440;

/** Growth or shrinkage of the pixels from which the device is judged anew. */
const OTHER_SIZE = 1.25;

type Size = Readonly<Pick<Facts, "width" | "height" | "pixelRatio">>;

/** The most device pixels for each CSS px that there is a use for. */
export function usefulRatio({ width, height, pixelRatio }: Size): number {
	return Math.min(pixelRatio, Math.sqrt(MOST_PIXELS / Math.max(1, width * height)));
}

/** Device pixels at the useful ratio. */
export function countPixels(size: Size): number {
	return size.width * size.height * usefulRatio(size) ** 2;
}

/** Whether so many more or fewer pixels void what was learned of the device. */
export function isOtherSize(before: number, after: number): boolean {
	const growth = after / before;
	return growth > OTHER_SIZE || growth < 1 / OTHER_SIZE;
}
