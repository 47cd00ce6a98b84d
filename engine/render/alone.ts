/**
 * A float's position and size without neighbors: clear of words, inside the window. The shader
 * computes the same.
 */
import {
	DRIFT,
	FIELD,
	FLOAT,
	isCaught,
	KIND,
	ordinalOf,
	POSE,
	type Records,
	ROCKET,
	type Simulation,
	STRIDE,
	smoothstep,
	writePose,
} from "../simulation/index.ts";
import { besideWords, crossing, wideOf } from "./bands.ts";
import { DEPTH, nearnessOf } from "./depth.ts";
import { writeOrbitPosition } from "./orbits.ts";
import { type Place, SEEN, spanOf } from "./place.ts";
import { QUIET } from "./quiet.ts";

export const MOST_SIZE = 0.18;

/**
 * Distance from the window's sides in float sizes; avoidance starts at a share `from` of half the
 * width.
 */
export const SIDES = { room: 1.1, from: 0.75 } as const;

/** A scene's first floats arrive one by one. Times in ticks, sizes as shares of the final size. */
export const ARRIVAL = { first: 9, every: 4.2, spring: 21.6, fade: 10, from: 0.6, over: 1.70158 };

/**
 * If words fill the width, a scene's first floats start both above and below them. `above` and
 * `below` are world units to rise; `strewn` breaks up the row.
 */
export const BEGINNING = { above: 1.02, below: 1.83, strewn: 0.15, until: 19 };

const pose = new Float64Array(POSE.length);

/** Spreads floats sideways, in world units: otherwise they would form four columns. */
export function strewBy({ records, rings }: Simulation, slot: number): number {
	if (isCaught(records, slot)) return 0;
	// Never 0: the sign tells the shader on which side to pass words.
	const place = (0.01 + ordinalOf(rings[KIND.float], slot) * ROCKET.step) % 1;
	const halfWay = halfWayOf(records.floats, slot * STRIDE);
	return Math.sign(halfWay) * place * FLOAT.breadth - halfWay;
}

/** The x at which a float is halfway up. */
const halfWayOf = (floats: Float32Array, r: number): number =>
	floats[r + FIELD.x] -
	(floats[r + FIELD.velocityX] * floats[r + FIELD.y]) / floats[r + FIELD.velocityY];

/** Ticks from birth to arrival; 0 unless the float is one of a scene's first. */
export function arrivalOf({ records, rings }: Simulation, slot: number): number {
	const { ints } = records;
	const { first, length } = rings[KIND.float];
	if (slot >= first + length || !isOfFirst(records, slot)) return 0;
	const birth = ints[slot * STRIDE + FIELD.birth];
	let before = 0;
	while (before < DRIFT.initial - 1) {
		const other = first + ((slot - first - before - 1 + length) % length);
		if (!isOfFirst(records, other) || ints[other * STRIDE + FIELD.birth] !== birth) break;
		before++;
	}
	return ARRIVAL.first + ARRIVAL.every * before;
}

/** Only a scene's first floats are born inside the window. */
export const isOfFirst = ({ floats, ints }: Records, slot: number): boolean =>
	floats[slot * STRIDE + FIELD.y] > -FLOAT.edge && ints[slot * STRIDE + FIELD.death] > 0;

/** @param time ticks and fractions */
export function writeAlone(
	seen: Float64Array,
	simulation: Simulation,
	slot: number,
	time: number,
	place: Readonly<Place>,
): void {
	const { records } = simulation;
	const { width, height } = place;
	const span = spanOf(place);
	writePose(records, slot, time, pose);
	const x = pose[POSE.x] + strewBy(simulation, slot);
	seen[SEEN.x] = ((x + 1) * width) / 2 + pose[POSE.offsetX] * span;
	seen[SEEN.y] = ((1 - pose[POSE.y]) * height) / 2 - pose[POSE.offsetY] * span;
	if (pose[POSE.orbit] !== 0) writeOrbitPosition(seen, pose, place, span);
	seen[SEEN.size] = pose[POSE.size];
	seen[SEEN.turn] = pose[POSE.turn];
	seen[SEEN.opacity] = pose[POSE.opacity];
	arrive(seen, simulation, slot, time, place);
	const near = seen[SEEN.near];
	const [least, most] = DRIFT.size;
	const wanted = least + (most - least) * near;
	const size = least + (Math.min(most, MOST_SIZE * Math.min(width, height)) - least) * near;
	seen[SEEN.size] *= size / wanted;
	if (pose[POSE.orbit] !== 0) return;
	pass(seen, records.floats, slot * STRIDE, size, place);
	seen[SEEN.x] = whole(seen[SEEN.x], size, width);
}

function arrive(
	seen: Float64Array,
	simulation: Simulation,
	slot: number,
	time: number,
	place: Readonly<Place>,
): void {
	const r = slot * STRIDE;
	seen[SEEN.near] = nearnessOf(seen[SEEN.size]);
	const arrival = arrivalOf(simulation, slot);
	if (arrival === 0) return;
	const { floats, ints } = simulation.records;
	const since = time - ints[r + FIELD.birth] - arrival;
	const left = ints[r + FIELD.death] - time;
	const t = Math.min(1, Math.max(0, since / ARRIVAL.spring)) - 1;
	const grown = 1 + ((ARRIVAL.over + 1) * t + ARRIVAL.over) * t * t;
	seen[SEEN.size] *= ARRIVAL.from + (1 - ARRIVAL.from) * grown;
	seen[SEEN.opacity] =
		smoothstep(since / ARRIVAL.fade) * smoothstep(left / floats[r + FIELD.fadeOut]);
	const gone = ((1 - FLOAT.edge) * place.height) / 2;
	const y = floats[r + FIELD.y];
	const way = arrival < BEGINNING.until ? BEGINNING.above : BEGINNING.below;
	const longer = (way - BEGINNING.strewn * y - FLOAT.edge + y) / (FLOAT.edge - y);
	seen[SEEN.y] += (seen[SEEN.y] - gone) * longer * wideOf(place.bands, place.width);
}

/** Moves floats inward that the window's sides would clip. */
function whole(x: number, size: number, width: number): number {
	const most = 1 - (SIDES.room * size) / width;
	const room = (1 - SIDES.from) * most;
	const across = (2 * x) / width - 1;
	const beyond = Math.max(0, Math.abs(across) - SIDES.from * most);
	const way = room * (1 - Math.exp(-beyond / room));
	return x + (Math.sign(across) * (way - beyond) * width) / 2;
}

function pass(
	seen: Float64Array,
	floats: Float32Array,
	r: number,
	size: number,
	place: Readonly<Place>,
): void {
	const { width, height, bands } = place;
	const wide = wideOf(bands, width);
	const y = seen[SEEN.y];
	seen[SEEN.y] = y + (crossing(y, clearanceOf(size), height, bands) - y) * wide;
	const side = halfWayOf(floats, r) < 0 ? -1 : 1;
	const beside = besideOf(y, size, seen[SEEN.near], place);
	seen[SEEN.x] += (side - (2 * seen[SEEN.x]) / width + 1) * beside;
}

const clearanceOf = (size: number): number => QUIET.reach * size + QUIET.fade;

/** Half width in px that floats keep clear. Distant floats pass behind words. */
export const besideOf = (
	y: number,
	size: number,
	near: number,
	{ width, height, bands }: Readonly<Place>,
): number =>
	near < DEPTH.behind
		? 0
		: (1 - wideOf(bands, width)) * besideWords(y, clearanceOf(size), height, bands);
