export interface QualityLevel {
	/** Device pixels per CSS px, times `density` in a small window (resolution.ts). */
	readonly pixelRatio: number;
	/** Target ms between drawn frames, or 0 for a still picture. */
	readonly every: number;
	/** A frame is late after this many ms. */
	readonly late: number;
	/** A second with a larger share of late frames is bad. */
	readonly tolerance: number;
}

/** `late` exceeds 22.2 ms, because a 90 Hz display shows every second frame: 45 a second. */
const FULL_RATE = { every: 1000 / 60, late: 24, tolerance: 0.1 };

/** `late` allows 20 sharp frames a second, which look better than 30 blurred ones, but not 15. */
export const HALF_RATE = { every: 2000 / 60, late: 58, tolerance: 0.35 };

/**
 * Pixels cost most, so lower levels have fewer of them. Below a third of a device pixel per CSS px,
 * emoji are hard to recognize. Eleven frames a second still beat a still picture.
 */
export const QUALITY_LEVELS: readonly QualityLevel[] = [
	{ pixelRatio: 1 / 3, every: 0, late: 0, tolerance: 0 },
	{ pixelRatio: 1 / 3, ...HALF_RATE, late: 90 },
	...[1 / 3, 0.4, 0.5, 0.75, 1, 1.5, 2].map((pixelRatio) => ({ pixelRatio, ...FULL_RATE })),
];

export interface DeviceHints {
	/** GB, as rounded by browsers. */
	memory?: number | undefined;
	cores?: number | undefined;
	software: boolean;
	/** Whether it plays on the page's thread, where late frames delay clicks. */
	onPage: boolean;
	/** On a 2D canvas, resolution is nearly free. */
	flat?: boolean;
}

/** @returns the lowest level from 3 on with at least this pixel ratio, or the last level */
export function highestLevelFor(pixelRatio: number): number {
	const enough = QUALITY_LEVELS.findIndex((level, at) => at > 2 && level.pixelRatio >= pixelRatio);
	return enough < 0 ? QUALITY_LEVELS.length - 1 : enough;
}

export function initialLevelFor({
	memory = 8,
	cores = 8,
	software,
	onPage,
	flat,
}: DeviceHints): number {
	if (flat) return highestLevelFor(1);
	const weak = software || memory <= 2 || cores <= 2;
	return highestLevelFor(0.75) - (weak ? 1 : 0) - (onPage ? 1 : 0);
}
