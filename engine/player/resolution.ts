import type { PageState } from "../messages.ts";

const MOST_PIXELS = 2560 * 1440;

/** A phone's window, in CSS px. Page zoom makes the windows of larger screens as small. */
const SMALL_AREA = 390 * 844;

const MOST_OF_LEVELS = 2;

/** Quality starts over when the area or pixel count changes by more than this factor. */
const OTHER_SIZE = 1.25;

type Size = Readonly<Pick<PageState, "width" | "height" | "pixelRatio">>;

export interface Resolution {
	readonly area: number;
	/** The display's device pixels per CSS px, at most as many as `MOST_PIXELS` allows. */
	readonly ratio: number;
	/** Factor on the `pixelRatio` of all levels. Above 1 in small windows, which have few pixels. */
	readonly density: number;
}

export function resolutionOf({ width, height, pixelRatio }: Size): Resolution {
	const area = width * height;
	const ratio = Math.min(pixelRatio, Math.sqrt(MOST_PIXELS / Math.max(1, area)));
	const density = Math.min(ratio / MOST_OF_LEVELS, Math.sqrt(SMALL_AREA / Math.max(1, area)));
	return { area, ratio, density: Math.max(1, density) };
}

export function hasSizeChanged(learned: Resolution, present: Resolution): boolean {
	return isOther(present.area / learned.area) || isOther((present.ratio / learned.ratio) ** 2);
}

function isOther(growth: number): boolean {
	return growth > OTHER_SIZE || growth < 1 / OTHER_SIZE;
}
