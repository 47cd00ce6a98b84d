import { FIELD, isAlive, KIND, type Simulation, STRIDE, smooth } from "../simulation/index.ts";
import { besideOf, isOfFirst, writeAlone } from "./alone.ts";
import { type Bands, wideOf } from "./bands.ts";
import { type Aside, type Place, SEEN } from "./place.ts";
import type { Picture } from "./renderer.ts";

/**
 * Floats make way for each other as they pass: what happens knows of no screen, and on one of 1440 x 900 3.1 pairs of
 * 19 floats would lie on each other where 0.1 do so (mean of 16 seeds).
 *
 * Once a second it is computed how far each of them has to go at three moments: half a second ago, in half a second,
 * and a second later. Renderers follow the curve with these control points (a uniform quadratic B-spline), which has no
 * kink. So most frames still send nothing to the GPU, and at a time the same is seen whatever was seen before.
 */
export const APART = {
	every: 60, // ticks from one moment to the next
	from: 2, // the tick of the first: floats of a scene are born just before one
	moments: 3,
	numbers: 6, // px to the right at each moment, and px upwards
	unknown: 0.6, // seconds of a life of which earlier moments know nothing: it is heeded a second later
	/** Distance that two floats want, as a share of their mean size. */
	room: 2,
	/** Who makes way may come near a third one: so often all look again, and go such a share of the way that is left. */
	looks: 6,
	share: 0.6,
	/** Px that they stay from the sides of the window, as a share of their size. */
	inside: 0.6,
	/** The most floats that find room: the crowd of a bench stays where it is. */
	most: 64,
} as const;

/** How far floats go aside, and what that was computed from. */
export interface Apart extends Aside {
	born: number;
	rewrites: number;
	bands: Bands | undefined;
	/** Numbers at the places of `SEEN` and of `WAY` for each slot, and the slots whose floats are there. */
	readonly floats: readonly Float64Array[];
	readonly there: Int32Array;
}

/** Places of the numbers of a float, behind those of `SEEN`. */
const WAY = {
	heeded: SEEN.length, // by others, from 0 to 1
	light: SEEN.length + 1, // the lighter makes more way
	x: SEEN.length + 2, // px that it has gone to the right
	y: SEEN.length + 3, // and upwards
	toX: SEEN.length + 4, // and will have gone, once all have looked
	toY: SEEN.length + 5,
	left: SEEN.length + 6, // px that it may go to the right at most, below 0 and above
	right: SEEN.length + 7,
	length: SEEN.length + 8,
} as const;

export function createApart({ rings }: Simulation): Apart {
	const { length } = rings[KIND.float];
	return {
		px: new Float32Array(length * APART.numbers),
		second: Number.NaN,
		born: 0,
		rewrites: 0,
		bands: undefined,
		floats: Array.from({ length }, () => new Float64Array(WAY.length)),
		there: new Int32Array(length),
	};
}

/**
 * Px that the float in a slot has gone aside, at a time in the second that was last written.
 * @param from which of the float's numbers are asked: 0 for those to the right, `APART.moments` for those upwards
 */
export function asideAt(
	{ px, second }: Readonly<Aside>,
	slot: number,
	time: number,
	from: number,
): number {
	const at = (time - APART.from) / APART.every - second;
	const first = slot * APART.numbers + from;
	return (
		0.5 * (1 - at) * (1 - at) * px[first] +
		(0.5 + at - at * at) * px[first + 1] +
		0.5 * at * at * px[first + 2]
	);
}

/**
 * Brings up to a picture how far floats go aside. The time is not handed on by itself, as it would be boxed.
 * @returns whether it was computed anew, and any of them goes aside or did
 */
export function writeApart(
	apart: Apart,
	simulation: Simulation,
	{ time }: Readonly<Pick<Picture, "time">>,
	place: Readonly<Place>,
): boolean {
	const { born } = simulation.rings[KIND.float];
	const { rewrites } = simulation;
	const { bands } = place;
	const second = Math.floor((time - APART.from) / APART.every);
	// One that is born alone is heeded later; several at once begin a scene.
	const one = born - apart.born === 1 || born === apart.born;
	const same = one && apart.rewrites === rewrites && apart.bands === bands;
	const passed = same ? second - apart.second : APART.moments;
	apart.born = born;
	if (passed === 0) return false;
	apart.second = second;
	apart.rewrites = rewrites;
	apart.bands = bands;
	const { px } = apart;
	const were = px.some(Boolean);
	// The moments of the last second but for the first are the first ones of this.
	const known = passed === 1 ? APART.moments - 1 : 0;
	if (known > 0) px.copyWithin(0, 1);
	// Where words take the width of the window, floats are taken past them: they have no room up and down.
	const vertical = 1 - wideOf(bands, place.width);
	for (let moment = known; moment < APART.moments; moment++) {
		const count = meet(
			apart,
			simulation,
			(second + moment - 0.5) * APART.every + APART.from,
			place,
		);
		for (let look = 0; look < APART.looks; look++) makeWay(apart, count, vertical);
		for (let slot = 0; slot < apart.floats.length; slot++) {
			const at = slot * APART.numbers + moment;
			px[at] = apart.floats[slot][WAY.x];
			px[at + APART.moments] = apart.floats[slot][WAY.y];
		}
	}
	return were || px.some(Boolean);
}

/**
 * Writes the floats that are there at a moment.
 * @returns how many they are
 */
function meet(
	{ floats, there }: Apart,
	simulation: Simulation,
	moment: number,
	place: Readonly<Place>,
): number {
	const { records } = simulation;
	let count = 0;
	for (let slot = 0; slot < floats.length; slot++) {
		const float = floats[slot];
		float[WAY.x] = 0;
		float[WAY.y] = 0;
		if (!isAlive(records, slot, moment)) continue;
		there[count++] = slot;
		writeAlone(float, simulation, slot, moment, place);
		const r = slot * STRIDE;
		// Who will be born before the moment is not known yet: such a one counts later, all others from the start.
		const age = (moment - records.ints[r + FIELD.birth]) / APART.every;
		const caught = records.floats[r + FIELD.sway] < 0;
		float[WAY.heeded] = isOfFirst(records, slot) ? 1 : smooth(age - APART.unknown);
		float[WAY.light] = caught ? 0 : 1 / float[SEEN.size];
		bound(float, place);
	}
	return count > APART.most ? 0 : count;
}

/** Writes how far a float may go: within the window, and beside the words. */
function bound(float: Float64Array, place: Readonly<Place>): void {
	const { width } = place;
	const inside = APART.inside * float[SEEN.size];
	const x = float[SEEN.x];
	const words = besideOf(float[SEEN.y], float[SEEN.size], float[SEEN.near], place);
	const isLeft = x < width / 2;
	float[WAY.left] = Math.min(0, (isLeft ? inside : width / 2 + words) - x);
	float[WAY.right] = Math.max(0, (isLeft ? width / 2 - words : width - inside) - x);
}

/** Lets the first of those who are there make way for each other once. */
function makeWay({ floats, there }: Apart, count: number, vertical: number): void {
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
		float[WAY.y] = float[WAY.toY] * vertical;
	}
}

/** Notes how far two make way for each other, the smaller one the more. */
function pass(one: Float64Array, other: Float64Array): void {
	const room = (APART.room * (one[SEEN.size] + other[SEEN.size])) / 2;
	const x = one[SEEN.x] + one[WAY.x] - other[SEEN.x] - other[WAY.x];
	const y = other[SEEN.y] - other[WAY.y] - one[SEEN.y] + one[WAY.y];
	const away = Math.sqrt(x * x + y * y);
	if (away >= room || away === 0) return;
	const heeded = one[WAY.heeded] * other[WAY.heeded];
	// Neither of two that are caught makes way.
	const light = one[WAY.light] + other[WAY.light] || 1;
	const way = ((room / away - 1) * APART.share * heeded) / light;
	one[WAY.toX] += x * way * one[WAY.light];
	one[WAY.toY] += y * way * one[WAY.light];
	other[WAY.toX] -= x * way * other[WAY.light];
	other[WAY.toY] -= y * way * other[WAY.light];
}
