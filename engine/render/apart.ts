import {
	FIELD,
	isAlive,
	isCaught,
	KIND,
	type Simulation,
	STRIDE,
	smoothstep,
} from "../simulation/index.ts";
import { clearanceOf, isInitialFloat, wordsClearanceAt, writeLoneFloat } from "./alone.ts";
import { WORD_BANDS, type WordBands } from "./bands.ts";
import { type FloatOffsets, type Place, SPRITE } from "./place.ts";
import type { Picture } from "./renderer.ts";

/**
 * Keeps floats apart: at 1440 x 900, 0.1 pairs of 19 floats overlap, not 3.1 (mean of 16 seeds).
 *
 * Each float's offset follows a uniform quadratic B-spline. Once a second its next control point is
 * computed and sent to the GPU. Offsets do not depend on earlier frames, so seeks are exact.
 */
export const FLOAT_SPACING = {
	every: 60, // ticks between control points
	from: 2, // tick of the first control point, after a scene's floats are born
	points: 3,
	numbers: 6, // per float: px to the right and px up
	unknown: 0.6, // seconds after birth until a float pushes others
	/** Minimum distance of two centers, as a multiple of the floats' mean size. */
	room: 2,
	/** Number of passes: each may push a float into a third one. */
	passes: 6,
	share: 0.6, // of the missing distance, added per pass
	/** Minimum distance of a center to the window's sides, as a share of the float's size. */
	inside: 0.75,
	/** With more floats, as in a bench, all offsets are 0. */
	most: 64,
} as const;

/** Offsets, with the inputs they were computed from. */
export interface FloatSpacing extends FloatOffsets {
	born: number;
	rewrites: number;
	bands: WordBands | undefined;
	/** Numbers per slot, indexed by `SPRITE` and `WAY`; `there` lists the live slots. */
	readonly floats: readonly Float64Array[];
	readonly there: Int32Array;
}

/** Indices after those of `SPRITE`. */
const WAY = {
	push: SPRITE.length, // strength of its pushes, 0 to 1
	light: SPRITE.length + 1, // inverse weight: lighter floats are moved farther
	x: SPRITE.length + 2, // px to the right
	y: SPRITE.length + 3, // px up
	toX: SPRITE.length + 4, // x after the current pass, before limits
	toY: SPRITE.length + 5, // the same for y
	left: SPRITE.length + 6, // minimum and maximum of x
	right: SPRITE.length + 7,
	down: SPRITE.length + 8, // minimum and maximum of y
	up: SPRITE.length + 9,
	length: SPRITE.length + 10,
} as const;

export function createFloatSpacing({ rings }: Simulation): FloatSpacing {
	const { length } = rings[KIND.float];
	return {
		px: new Float32Array(length * FLOAT_SPACING.numbers),
		second: Number.NaN,
		born: 0,
		rewrites: 0,
		bands: undefined,
		floats: Array.from({ length }, () => new Float64Array(WAY.length)),
		there: new Int32Array(length),
	};
}

/** @param from 0 for the offset to the right, `FLOAT_SPACING.points` for the one upward */
export function floatOffsetAt(
	{ px, second }: Readonly<FloatOffsets>,
	slot: number,
	time: number,
	from: number,
): number {
	const at = (time - FLOAT_SPACING.from) / FLOAT_SPACING.every - second;
	const first = slot * FLOAT_SPACING.numbers + from;
	return (
		0.5 * (1 - at) * (1 - at) * px[first] +
		(0.5 + at - at * at) * px[first + 1] +
		0.5 * at * at * px[first + 2]
	);
}

/**
 * Takes `time` in an object, because V8 would box a number argument.
 * @returns whether the offsets changed
 */
export function updateFloatSpacing(
	apart: FloatSpacing,
	simulation: Simulation,
	{ time }: Readonly<Pick<Picture, "time">>,
	place: Readonly<Place>,
): boolean {
	const { born } = simulation.rings[KIND.float];
	const { rewrites } = simulation;
	const { bands } = place;
	const second = Math.floor((time - FLOAT_SPACING.from) / FLOAT_SPACING.every);
	// Several births mean a new scene, which needs new offsets at once. A single float can wait.
	const one = born - apart.born === 1 || born === apart.born;
	const same = one && apart.rewrites === rewrites && apart.bands === bands;
	const passed = same ? second - apart.second : FLOAT_SPACING.points;
	apart.born = born;
	if (passed === 0) return false;
	apart.second = second;
	apart.rewrites = rewrites;
	apart.bands = bands;
	const { px } = apart;
	const were = px.some(Boolean);
	// In the next second, only the last control point is new.
	const known = passed === 1 ? FLOAT_SPACING.points - 1 : 0;
	if (known > 0) px.copyWithin(0, 1);
	for (let point = known; point < FLOAT_SPACING.points; point++) {
		const count = meet(
			apart,
			simulation,
			(second + point - 0.5) * FLOAT_SPACING.every + FLOAT_SPACING.from,
			place,
		);
		for (let pass = 0; pass < FLOAT_SPACING.passes; pass++) makeWay(apart, count);
		for (let slot = 0; slot < apart.floats.length; slot++) {
			const at = slot * FLOAT_SPACING.numbers + point;
			px[at] = apart.floats[slot][WAY.x];
			px[at + FLOAT_SPACING.points] = apart.floats[slot][WAY.y];
		}
	}
	return were || px.some(Boolean);
}

/** @returns the number of live floats */
function meet(
	{ floats, there }: FloatSpacing,
	simulation: Simulation,
	time: number,
	place: Readonly<Place>,
): number {
	const { records } = simulation;
	const wide = place.wordsSpan;
	const free = (1 / wide - 1) * place.height;
	let count = 0;
	for (let slot = 0; slot < floats.length; slot++) {
		const float = floats[slot];
		float[WAY.x] = 0;
		float[WAY.y] = 0;
		if (!isAlive(records, slot, time)) continue;
		there[count++] = slot;
		writeLoneFloat(float, simulation, slot, time, place);
		const r = slot * STRIDE;
		// Pushes grow gradually, because earlier control points were computed without the new float.
		const age = (time - records.ints[r + FIELD.birth]) / FLOAT_SPACING.every;
		float[WAY.push] = isInitialFloat(records, slot) ? 1 : smoothstep(age - FLOAT_SPACING.unknown);
		float[WAY.light] = (isCaught(records, slot) ? wide : 1) / float[SPRITE.size];
		bound(float, place, free);
	}
	return count > FLOAT_SPACING.most ? 0 : count;
}

/** Limits offsets to the window. A float may move `free` px past its band above or below the words. */
function bound(float: Float64Array, place: Readonly<Place>, free: number): void {
	const { width, bands } = place;
	const x = float[SPRITE.x];
	const y = float[SPRITE.y];
	const size = float[SPRITE.size];
	const inside = FLOAT_SPACING.inside * size;
	const words = wordsClearanceAt(y, size, float[SPRITE.near], place);
	const isLeft = x < width / 2;
	float[WAY.left] = Math.min(0, (isLeft ? inside : width / 2 + words) - x);
	float[WAY.right] = Math.max(0, (isLeft ? width / 2 - words : width - inside) - x);
	const reach = clearanceOf(size);
	let top = y;
	let bottom = y;
	if (y < bands[WORD_BANDS.words]) {
		top = inside;
		bottom = bands[WORD_BANDS.words] - reach;
	} else if (y >= bands[WORD_BANDS.below]) {
		top = bands[WORD_BANDS.below] + reach;
		bottom = bands[WORD_BANDS.footer] - reach;
	}
	float[WAY.up] = Math.max(0, y - top) + free;
	float[WAY.down] = Math.min(0, y - bottom) - free;
}

function makeWay({ floats, there }: FloatSpacing, count: number): void {
	for (let i = 0; i < count; i++) {
		const float = floats[there[i]];
		float[WAY.toX] = float[WAY.x];
		float[WAY.toY] = float[WAY.y];
	}
	for (let i = 0; i < count; i++) {
		for (let j = 0; j < i; j++) pass(floats[there[i]], floats[there[j]]);
	}
	for (let i = 0; i < count; i++) {
		const float = floats[there[i]];
		float[WAY.x] = Math.max(float[WAY.left], Math.min(float[WAY.right], float[WAY.toX]));
		float[WAY.y] = Math.max(float[WAY.down], Math.min(float[WAY.up], float[WAY.toY]));
	}
}

/** Moves two floats apart, the smaller one more. */
function pass(one: Float64Array, other: Float64Array): void {
	const room = (FLOAT_SPACING.room * (one[SPRITE.size] + other[SPRITE.size])) / 2;
	const x = one[SPRITE.x] + one[WAY.x] - other[SPRITE.x] - other[WAY.x];
	const y = other[SPRITE.y] - other[WAY.y] - one[SPRITE.y] + one[WAY.y];
	const away = Math.sqrt(x * x + y * y);
	if (away >= room || away === 0) return;
	const push = one[WAY.push] * other[WAY.push];
	// Both may be 0 on orbits: `1` then avoids a division by 0.
	const light = one[WAY.light] + other[WAY.light] || 1;
	const way = ((room / away - 1) * FLOAT_SPACING.share * push) / light;
	one[WAY.toX] += x * way * one[WAY.light];
	one[WAY.toY] += y * way * one[WAY.light];
	other[WAY.toX] -= x * way * other[WAY.light];
	other[WAY.toY] -= y * way * other[WAY.light];
}
