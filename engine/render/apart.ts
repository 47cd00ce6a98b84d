import { FIELD, isAlive, KIND, type Simulation, STRIDE, smooth } from "../simulation/index.ts";
import { besideOf, isOfFirst, writeAlone } from "./alone.ts";
import type { Bands } from "./bands.ts";
import { type Aside, type Place, SEEN } from "./place.ts";
import type { Picture } from "./renderer.ts";

/**
 * Floats make way for each other as they pass, to the sides: what happens knows of no screen, and on one of 1440 x 900
 * 3.2 pairs of 21 floats lay on each other where 0.5 do so now (mean of 16 seeds).
 *
 * Once a second it is computed how far each of them has to go at three moments: half a second ago, in half a second,
 * and a second later. Renderers follow the curve with these control points (a uniform quadratic B-spline), which has no
 * kink. So most frames still send nothing to the GPU, and at a time the same is seen whatever was seen before.
 */
export const APART = {
	every: 60, // ticks from one moment to the next
	from: 2, // the tick of the first: floats of a scene are born just before one
	moments: 3,
	unknown: 0.6, // seconds of a life of which earlier moments know nothing: it is heeded a second later
	/** Distance that two floats want, as a share of their mean size. */
	room: 1.75,
	/** Who makes way may come near a third one: so often all look again, and go such a share of the way that is left. */
	looks: 6,
	share: 0.6,
	/** Px that they stay from the sides of the window, as a share of their size. */
	inside: 0.8,
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
	aside: SEEN.length + 2, // px that it has gone
	to: SEEN.length + 3, // and will have gone, once all have looked
	left: SEEN.length + 4, // px that it may go at most, below 0 and above
	right: SEEN.length + 5,
	length: SEEN.length + 6,
} as const;

export function createApart({ rings }: Simulation): Apart {
	const { length } = rings[KIND.float];
	return {
		px: new Float32Array(length * APART.moments),
		second: Number.NaN,
		born: 0,
		rewrites: 0,
		bands: undefined,
		floats: Array.from({ length }, () => new Float64Array(WAY.length)),
		there: new Int32Array(length),
	};
}

/** Px to the right that the float in a slot has gone aside, at a time in the second that was last written. */
export function asideAt({ px, second }: Readonly<Aside>, slot: number, time: number): number {
	const at = (time - APART.from) / APART.every - second;
	const [before, now, after] = [
		slot * APART.moments,
		slot * APART.moments + 1,
		slot * APART.moments + 2,
	];
	return (
		0.5 * (1 - at) * (1 - at) * px[before] +
		(0.5 + at - at * at) * px[now] +
		0.5 * at * at * px[after]
	);
}

/**
 * Brings up to a picture how far floats go aside. The time is not handed on by itself, as it would be boxed.
 * @returns whether anything has changed
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
	// The moments of the last second but for the first are the first ones of this.
	const known = passed === 1 ? APART.moments - 1 : 0;
	const { px } = apart;
	let changed = false;
	if (known > 0) {
		for (let i = 0; i < px.length; i++) {
			if (i % APART.moments >= known) continue;
			changed ||= px[i] !== px[i + 1];
			px[i] = px[i + 1];
		}
	}
	for (let moment = known; moment < APART.moments; moment++) {
		const count = meet(
			apart,
			simulation,
			(second + moment - 0.5) * APART.every + APART.from,
			place,
		);
		for (let look = 0; look < APART.looks; look++) makeWay(apart, count);
		for (let slot = 0; slot < apart.floats.length; slot++) {
			const at = slot * APART.moments + moment;
			const before = px[at];
			px[at] = apart.floats[slot][WAY.aside];
			changed ||= px[at] !== before;
		}
	}
	return changed;
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
		float[WAY.aside] = 0;
		if (!isAlive(records, slot, moment)) continue;
		there[count++] = slot;
		writeAlone(float, simulation, slot, moment, place);
		const r = slot * STRIDE;
		// Who will be born before the moment is not known yet: such a one counts later, all others from the start.
		const age = (moment - records.ints[r + FIELD.birth]) / APART.every;
		const left = records.ints[r + FIELD.death] - moment;
		const caught = records.floats[r + FIELD.sway] < 0;
		float[WAY.heeded] =
			(isOfFirst(records, slot) ? 1 : smooth(age - APART.unknown)) *
			smooth(left / records.floats[r + FIELD.fadeOut]);
		float[WAY.light] = caught ? 0 : 1 / (float[SEEN.size] * float[SEEN.size]);
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
	const fromWords = Math.abs(x - width / 2) - words;
	const fromSide = Math.min(x, width - x) - inside;
	const isLeft = x < width / 2;
	float[WAY.left] = -Math.max(0, isLeft ? fromSide : fromWords);
	float[WAY.right] = Math.max(0, isLeft ? fromWords : fromSide);
}

/** Lets the first of those who are there make way for each other once. */
function makeWay({ floats, there }: Apart, count: number): void {
	for (let i = 0; i < count; i++) floats[there[i]][WAY.to] = floats[there[i]][WAY.aside];
	for (let i = 0; i < count; i++) {
		for (let j = 0; j < i; j++) pass(floats[there[i]], floats[there[j]]);
	}
	for (let i = 0; i < count; i++) {
		const float = floats[there[i]];
		float[WAY.aside] = Math.max(float[WAY.left], Math.min(float[WAY.right], float[WAY.to]));
	}
}

/** Notes how far two make way for each other, the smaller one the more. */
function pass(one: Float64Array, other: Float64Array): void {
	const room = (APART.room * (one[SEEN.size] + other[SEEN.size])) / 2;
	const above = Math.abs(one[SEEN.y] - other[SEEN.y]);
	if (above >= room) return;
	const between = one[SEEN.x] - other[SEEN.x];
	const missing =
		Math.sqrt(room * room - above * above) - Math.abs(between + one[WAY.aside] - other[WAY.aside]);
	const light = one[WAY.light] + other[WAY.light];
	if (missing <= 0 || light === 0) return;
	const heeded = one[WAY.heeded] * other[WAY.heeded];
	const way = (between < 0 ? -missing : missing) * heeded * APART.share;
	one[WAY.to] += (way * one[WAY.light]) / light;
	other[WAY.to] -= (way * other[WAY.light]) / light;
}
