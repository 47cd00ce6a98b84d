import type { PageState } from "../messages.ts";

const MOST_PIXELS = 2560 * 1440;

/** A phone's window in CSS px; page zoom yields windows this small. */
const SMALL_AREA = 390 * 844;

const MOST_OF_LEVELS = 2;

/** Quality restarts when the area or pixel count changes by this factor. */
const OTHER_SIZE = 1.25;

type Size = Readonly<Pick<PageState, "width" | "height" | "pixelRatio">>;

export interface Resolution {
	readonly area: number;
	/** The display's useful maximum of device pixels per CSS px. */
	readonly ratio: number;
	/** Factor on the `pixelRatio` of all levels; above 1 in small windows, as under page zoom. */
	readonly density: number;
}

export function resolutionOf({ width, height, pixelRatio }: Size): Resolution {
	const area = width * height;
	const ratio = Math.min(pixelRatio, Math.sqrt(MOST_PIXELS / Math.max(1, area)));
	const density = Math.min(ratio / MOST_OF_LEVELS, Math.sqrt(SMALL_AREA / Math.max(1, area)));
	return { area, ratio, density: Math.max(1, density) };
}

export function isOtherSize(learned: Resolution, present: Resolution): boolean {
	return isOther(present.area / learned.area) || isOther((present.ratio / learned.ratio) ** 2);
}

function isOther(growth: number): boolean {
	return growth > OTHER_SIZE || growth < 1 / OTHER_SIZE;
}
