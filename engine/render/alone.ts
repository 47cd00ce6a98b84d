/**
 * Places floats clear of words and inside the window; apart.ts then keeps them apart. The shader
 * computes the same.
 */
import {
	between,
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
import { wordsHalfWidthAt, yInBand } from "./bands.ts";
import { DEPTH, nearnessOf } from "./depth.ts";
import { writeOrbitPosition } from "./orbits.ts";
import { type Place, SPRITE, spanOf } from "./place.ts";
import { QUIET } from "./quiet.ts";

/** Float sizes in a window. */
export const FLOAT_SIZE = {
	/** Maximum as a share of the window's shorter side. */
	most: 0.16,
	/** If words fill the width, floats have three size classes: these factors on their nearness. */
	classes: [0.3, 0.6, 1],
	/** Shares of the floats below the second and the third size. Few are large, so that few touch. */
	shares: [0.58, 0.8],
	/** Before that, nearness 0 to 1 narrows to this range. */
	near: [0.4, 1],
	/** Sizes grow if the window's shorter side exceeds `fullPx`, up to this factor. */
	scale: 1.6,
	fullPx: 900,
} as const;

/**
 * Floats keep `room` half sizes from the window's sides. `from` is where the push inward starts, as a
 * share of the way from the center to that margin.
 */
export const SIDE_MARGIN = { room: 1.1, from: 0.75 } as const;

/** A scene's first floats pop in one by one. Ticks; `from` is a share of the final size. */
export const FIRST_FLOATS_ARRIVAL = {
	first: 9,
	every: 4.2,
	spring: 21.6,
	fade: 10,
	from: 0.6,
	over: 1.70158, // overshoots the final size by 10%
};

/**
 * World units that a scene's first floats rise above or below words that fill the width. `strewn`
 * varies the rise, so that floats form no row.
 */
export const FIRST_FLOATS_RISE = { above: 2.0, below: 1.83, strewn: 0.3 };

const [LEAST, MOST] = DRIFT.size;
const pose = new Float64Array(POSE.length);

/** A float's sideways offset in world units, without which floats would form four columns. */
export function sidewaysSpreadOf({ records, rings }: Simulation, slot: number): number {
	if (isCaught(records, slot)) return 0;
	// Never 0: the sign tells the shader on which side to pass words.
	const place = (0.01 + ordinalOf(rings[KIND.float], slot) * ROCKET.step) % 1;
	const halfWay = halfWayOf(records.floats, slot * STRIDE);
	return Math.sign(halfWay) * place * FLOAT.breadth - halfWay;
}

const halfWayOf = (floats: Float32Array, r: number): number =>
	floats[r + FIELD.x] -
	(floats[r + FIELD.velocityX] * floats[r + FIELD.y]) / floats[r + FIELD.velocityY];

/** Ticks from birth to arrival; 0 unless the float is one of a scene's first. */
export function arrivalDelayOf({ records, rings }: Simulation, slot: number): number {
	const { ints } = records;
	const { first, length } = rings[KIND.float];
	if (slot >= first + length || !isInitialFloat(records, slot)) return 0;
	const birth = ints[slot * STRIDE + FIELD.birth];
	let before = 0;
	while (before < DRIFT.initial - 1) {
		const other = first + ((slot - first - before - 1 + length) % length);
		if (!isInitialFloat(records, other) || ints[other * STRIDE + FIELD.birth] !== birth) break;
		before++;
	}
	return FIRST_FLOATS_ARRIVAL.first + FIRST_FLOATS_ARRIVAL.every * before;
}

/** If words fill the width, every other float rises above them. */
export const risesAboveWords = ({ rings }: Simulation, slot: number): boolean =>
	ordinalOf(rings[KIND.float], slot) % 2 === 0;

/** Only a scene's first floats are born inside the window. */
export const isInitialFloat = ({ floats, ints }: Records, slot: number): boolean =>
	floats[slot * STRIDE + FIELD.y] > -FLOAT.edge && ints[slot * STRIDE + FIELD.death] > 0;

export function writeLoneFloat(
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
	const x = pose[POSE.x] + sidewaysSpreadOf(simulation, slot);
	seen[SPRITE.x] = ((x + 1) * width) / 2 + pose[POSE.offsetX] * span;
	seen[SPRITE.y] = ((1 - pose[POSE.y]) * height) / 2 - pose[POSE.offsetY] * span;
	if (pose[POSE.orbit] !== 0) writeOrbitPosition(seen, pose, place, span);
	seen[SPRITE.size] = pose[POSE.size];
	seen[SPRITE.turn] = pose[POSE.turn];
	seen[SPRITE.opacity] = pose[POSE.opacity];
	arrive(seen, simulation, slot, time, place);
	const classed = sizeClassOf(simulation, slot) * between(FLOAT_SIZE.near, seen[SPRITE.near]);
	const near = seen[SPRITE.near] + (classed - seen[SPRITE.near]) * place.wordsSpan;
	const shorter = Math.min(width, height);
	const size =
		(LEAST + (Math.min(MOST, FLOAT_SIZE.most * shorter) - LEAST) * near) *
		Math.max(1, Math.min(FLOAT_SIZE.scale, shorter / FLOAT_SIZE.fullPx));
	seen[SPRITE.size] *= size / pose[POSE.size];
	if (pose[POSE.orbit] !== 0) return;
	stayClear(seen, simulation, slot, size, place);
	seen[SPRITE.x] = keepInside(seen[SPRITE.x], size, width);
}

function sizeClassOf({ records }: Simulation, slot: number): number {
	const { classes, shares } = FLOAT_SIZE;
	const chance = records.floats[slot * STRIDE + FIELD.swayPhase];
	return classes[chance < shares[0] ? 0 : chance < shares[1] ? 1 : 2];
}

function arrive(
	seen: Float64Array,
	simulation: Simulation,
	slot: number,
	time: number,
	place: Readonly<Place>,
): void {
	const r = slot * STRIDE;
	seen[SPRITE.near] = nearnessOf(seen[SPRITE.size]);
	const arrival = arrivalDelayOf(simulation, slot);
	if (arrival === 0) return;
	const { floats, ints } = simulation.records;
	const since = time - ints[r + FIELD.birth] - arrival;
	const left = ints[r + FIELD.death] - time;
	const t = Math.min(1, Math.max(0, since / FIRST_FLOATS_ARRIVAL.spring)) - 1;
	const grown = 1 + ((FIRST_FLOATS_ARRIVAL.over + 1) * t + FIRST_FLOATS_ARRIVAL.over) * t * t;
	seen[SPRITE.size] *= FIRST_FLOATS_ARRIVAL.from + (1 - FIRST_FLOATS_ARRIVAL.from) * grown;
	seen[SPRITE.opacity] =
		smoothstep(since / FIRST_FLOATS_ARRIVAL.fade) * smoothstep(left / floats[r + FIELD.fadeOut]);
	const gone = ((1 - FLOAT.edge) * place.height) / 2;
	const y = floats[r + FIELD.y];
	const way = risesAboveWords(simulation, slot) ? FIRST_FLOATS_RISE.above : FIRST_FLOATS_RISE.below;
	const longer = (way - FIRST_FLOATS_RISE.strewn * y - FLOAT.edge + y) / (FLOAT.edge - y);
	seen[SPRITE.y] += (seen[SPRITE.y] - gone) * longer * place.wordsSpan;
}

/** Moves a float inward, so that the window's sides do not clip it. */
function keepInside(x: number, size: number, width: number): number {
	const most = 1 - (SIDE_MARGIN.room * size) / width;
	const room = (1 - SIDE_MARGIN.from) * most;
	const across = (2 * x) / width - 1;
	const beyond = Math.max(0, Math.abs(across) - SIDE_MARGIN.from * most);
	const way = room * (1 - Math.exp(-beyond / room));
	return x + (Math.sign(across) * (way - beyond) * width) / 2;
}

/** Leads a float past words, or keeps it in its band. */
function stayClear(
	seen: Float64Array,
	simulation: Simulation,
	slot: number,
	size: number,
	place: Readonly<Place>,
): void {
	const { width, height, bands, wordsSpan } = place;
	const y = seen[SPRITE.y];
	const banded = yInBand(y, clearanceOf(size), height, bands, risesAboveWords(simulation, slot));
	seen[SPRITE.y] = y + (banded - y) * wordsSpan;
	const side = halfWayOf(simulation.records.floats, slot * STRIDE) < 0 ? -1 : 1;
	const beside = wordsClearanceAt(y, size, seen[SPRITE.near], place);
	seen[SPRITE.x] += (side - (2 * seen[SPRITE.x]) / width + 1) * beside;
}

export const clearanceOf = (size: number): number => QUIET.reach * size + QUIET.fade;

/** Px on either side of the window's center that words keep free of a float; 0 for a distant float. */
export const wordsClearanceAt = (
	y: number,
	size: number,
	near: number,
	{ wordsSpan, height, bands }: Readonly<Place>,
): number =>
	near < DEPTH.behind ? 0 : (1 - wordsSpan) * wordsHalfWidthAt(y, clearanceOf(size), height, bands);
