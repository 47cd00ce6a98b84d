import {
	CHANGES_LENGTH,
	type Cursor,
	createCursor,
	FIELD,
	FLIGHT_DISTANCE,
	KIND,
	NEVER,
	readChanges,
	type Simulation,
	STRIDE,
} from "../../simulation/index.ts";
import { arrivalDelayOf, risesAboveWords, sidewaysSpreadOf } from "../alone.ts";
import { FLOAT_SPACING } from "../apart.ts";
import { ATLAS } from "../atlas.ts";
import { emojiOf } from "../emoji.ts";
import { sparkPlaceInBurst } from "../fireworks/fireworks.ts";
import { firstHiddenTick, firstVisibleTick } from "../fireworks/late.ts";
import { lightCellOf, lightsOf } from "../fireworks/lights.ts";
import { burstHeightOf, rocketSideOf } from "../fireworks/sides.ts";
import { ORBIT_LINE } from "../orbits.ts";
import type { FloatOffsets } from "../place.ts";

/** Indices of a vertex's first numbers. The particle's record follows them. */
export const QUAD_FIELD = {
	cornerX: 0, // -1 or 1, times `radius` (see `writeSlot`)
	cornerY: 1, // -1 or 1; twice that if a float rises above words
	lag: 2, // of a light: see lights.ts
	length: 3,
} as const;

export const VERTEX_LENGTH = QUAD_FIELD.length + STRIDE;
const QUAD = 4 * VERTEX_LENGTH;
const CORNERS = [-1, -1, 1, -1, -1, 1, 1, 1];

/**
 * Vertices count ticks from an epoch, which moves every ten minutes: after a day, 32-bit floats are
 * off by half a tick.
 */
const EPOCH_TICKS = 36_000;

export interface Quads {
	readonly simulation: Simulation;
	readonly vertices: Float32Array;
	/** Offsets that keep floats apart (apart.ts), once per vertex. */
	readonly floatOffsets: Float32Array;
	/** First quad of each slot, then the total number of quads. */
	readonly starts: Int32Array;
	/** From far to near: the other kinds, the orbit's line (from quad `lines`), floats (from `from`). */
	readonly order: {
		readonly lines: number;
		readonly from: number;
		/** Slots of floats, the smallest (farthest) first. */
		readonly slots: Int32Array;
		readonly triangles: Uint16Array;
	};
	/** The tick from which vertices count. */
	epoch: number;
	/** Last death per ring, to skip rings whose particles are all dead. */
	readonly ends: Float64Array;
	readonly cursor: Cursor;
	readonly ranges: Int32Array;
}

export function createQuads(simulation: Simulation): Quads {
	const { rings, slots } = simulation;
	const starts = new Int32Array(slots + 1);
	for (let slot = 0; slot < slots; slot++) {
		starts[slot + 1] = starts[slot] + lightsOf(simulation, slot).length + 1;
	}
	const { first, length } = rings[KIND.float];
	const floats = Int32Array.from({ length }, (_, place) => first + place);
	const lines = starts[slots] - length;
	const triangles = new Uint16Array(length * 6);
	const vertices = withLines(starts[slots]);
	return {
		simulation,
		order: { lines, from: lines + LINES, slots: floats, triangles },
		vertices,
		floatOffsets: new Float32Array((vertices.length / VERTEX_LENGTH) * FLOAT_SPACING.numbers),
		starts,
		epoch: 0,
		ends: new Float64Array(rings.length),
		cursor: createCursor(),
		ranges: new Int32Array(CHANGES_LENGTH),
	};
}

const LINES = ORBIT_LINE.steps;

/** Creates vertices for quads, and after them for the orbit's line, whose `y` is in turns. */
function withLines(quads: number): Float32Array {
	const vertices = new Float32Array((quads + LINES) * QUAD);
	for (let i = 0; i < LINES * 4; i++) {
		const at = quads * QUAD + i * VERTEX_LENGTH;
		const [piece, corner] = [Math.floor(i / 4), i % 4];
		vertices[at + QUAD_FIELD.cornerX] = CORNERS[corner * 2];
		vertices[at + QUAD_FIELD.cornerY] = CORNERS[corner * 2 + 1];
		const record = vertices.subarray(at + QUAD_FIELD.length, at + VERTEX_LENGTH);
		record[FIELD.birth] = -NEVER;
		record[FIELD.death] = NEVER;
		record[FIELD.kind] = ORBIT_LINE.kind;
		record[FIELD.emoji] = ATLAS.glow;
		record[FIELD.y] = (piece + (CORNERS[corner * 2] + 1) / 2) / ORBIT_LINE.steps;
		record[FIELD.fadeIn] = 1;
		record[FIELD.fadeOut] = 1;
	}
	return vertices;
}

export function orbitLineTriangles({ starts, simulation }: Quads, drawn: boolean): Uint16Array {
	const first = starts[simulation.slots];
	return Uint16Array.from({ length: LINES * 6 }, (_, i) =>
		drawn ? (first + Math.floor(i / 6)) * 4 + TRIANGLES[i % 6] : first * 4,
	);
}

export function quadTriangles(quads: Quads): number[] {
	const { starts, simulation } = quads;
	const far = simulation.rings
		.slice(KIND.float + 1)
		.reverse()
		.flatMap(({ first, length, width }) => {
			const slots = range(first, first + length * width);
			// All lights first: light over sprites would wash out their colors.
			const lights = slots.flatMap((slot) => range(starts[slot], starts[slot + 1] - 1));
			return [...lights, ...slots.map((slot) => starts[slot + 1] - 1)];
		});
	const triangles = far.flatMap((quad) => TRIANGLES.map((corner) => quad * 4 + corner));
	return [...triangles, ...orbitLineTriangles(quads, true), ...sortFloatTriangles(quads)];
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

const TRIANGLES = [0, 1, 2, 2, 1, 3];

/** Sorts floats, so that near ones cover far ones. Runs at each birth, so it allocates nothing. */
export function sortFloatTriangles({ order, starts, simulation }: Quads): Uint16Array {
	const { slots, triangles } = order;
	const { floats } = simulation.records;
	// Insertion sort, because all but the newest floats are already sorted.
	for (let i = 1; i < slots.length; i++) {
		const slot = slots[i];
		const size = floats[slot * STRIDE + FIELD.size];
		let at = i;
		for (; at > 0 && floats[slots[at - 1] * STRIDE + FIELD.size] > size; at--) {
			slots[at] = slots[at - 1];
		}
		slots[at] = slot;
	}
	for (let i = 0; i < triangles.length; i++) {
		triangles[i] = starts[slots[Math.floor(i / 6)]] * 4 + TRIANGLES[i % 6];
	}
	return triangles;
}

/**
 * @param upload gets start and end of each written part of `vertices`
 * @returns whether a float was written
 */
export function writeBirths(quads: Quads, upload: (from: number, to: number) => void): boolean {
	const { simulation, cursor, ranges, starts } = quads;
	const epoch = Math.floor(simulation.tick / EPOCH_TICKS) * EPOCH_TICKS;
	if (epoch !== quads.epoch) {
		quads.epoch = epoch;
		cursor.rewrites = -1;
	}
	const used = readChanges(simulation, cursor, ranges);
	for (let i = 0; i < used; i += 2) {
		for (let slot = ranges[i]; slot < ranges[i + 1]; slot++) writeSlot(quads, slot);
		upload(starts[ranges[i]] * QUAD, starts[ranges[i + 1]] * QUAD);
	}
	if (used === 0) return false;
	for (let kind = 0; kind < simulation.rings.length; kind++) {
		quads.ends[kind] = lastDeath(quads, kind);
	}
	return ranges[0] < quads.order.slots.length;
}

const record = new Float32Array(STRIDE);

/** Writes a slot's lights, then its particle, which covers them. */
function writeSlot({ simulation, vertices, starts, epoch }: Quads, slot: number): void {
	const { floats } = simulation.records;
	const lights = lightsOf(simulation, slot);
	for (let word = 0; word < STRIDE; word++) record[word] = floats[slot * STRIDE + word];
	const side = rocketSideOf(simulation, slot);
	record[FIELD.birth] = firstVisibleTick(simulation, slot) - epoch;
	record[FIELD.death] = firstHiddenTick(simulation, slot) - epoch;
	record[FIELD.x] *= side;
	record[FIELD.velocityX] *= side;
	let high = 1;
	if (record[FIELD.kind] === KIND.float) {
		record[FIELD.x] += sidewaysSpreadOf(simulation, slot);
		if (risesAboveWords(simulation, slot)) high = 2;
	} else if (record[FIELD.kind] === KIND.rocket) {
		record[FIELD.velocityY] = (burstHeightOf(simulation, slot) - record[FIELD.y]) / FLIGHT_DISTANCE;
	} else if (record[FIELD.kind] === KIND.spark) {
		record[FIELD.y] = burstHeightOf(simulation, slot);
		// Sparks do not sway, so `swayRate` holds their place in the burst.
		record[FIELD.swayRate] = sparkPlaceInBurst(simulation, slot);
	}
	for (let quad = 0; quad <= lights.length; quad++) {
		const light = quad < lights.length ? lights[quad] : undefined;
		const radius = light ? light.radius : 1 + arrivalDelayOf(simulation, slot);
		record[FIELD.emoji] = light ? lightCellOf(simulation, slot) : emojiOf(simulation, slot);
		for (let corner = 0; corner < 4; corner++) {
			const at = ((starts[slot] + quad) * 4 + corner) * VERTEX_LENGTH;
			vertices[at + QUAD_FIELD.cornerX] = CORNERS[corner * 2] * radius;
			vertices[at + QUAD_FIELD.cornerY] = CORNERS[corner * 2 + 1] * high;
			vertices[at + QUAD_FIELD.lag] = light ? light.lag : 0;
			vertices.set(record, at + QUAD_FIELD.length);
		}
	}
}

export function writeFloatOffsets(
	{ floatOffsets }: Quads,
	{ px }: Readonly<FloatOffsets>,
	upload: (floatOffsets: Float32Array) => void,
): void {
	const { numbers } = FLOAT_SPACING;
	for (let i = 0; i < px.length * 4; i++) {
		floatOffsets[i] = px[Math.floor(i / numbers / 4) * numbers + (i % numbers)];
	}
	upload(floatOffsets.subarray(0, px.length * 4));
}

function lastDeath({ simulation }: Quads, kind: number): number {
	const { first, length, width } = simulation.rings[kind];
	let last = 0;
	for (let slot = first; slot < first + length * width; slot++) {
		last = Math.max(last, firstHiddenTick(simulation, slot));
	}
	return last;
}

/** Writes the range of quads to draw: the first, and the one after the last. */
export function writeDrawRange(
	{ simulation, starts, order, ends }: Quads,
	range: Int32Array,
): void {
	const { rings, tick } = simulation;
	range[0] = 0;
	range[1] = 0;
	let end = 0;
	for (let kind = rings.length - 1; kind > KIND.float; kind--) {
		const { first, length, width } = rings[kind];
		const from = end;
		end += starts[first + length * width] - starts[first];
		if (ends[kind] <= tick) continue;
		if (range[1] === 0) range[0] = from;
		range[1] = end;
	}
	if (ends[KIND.float] <= tick) return;
	if (range[1] === 0) range[0] = order.lines;
	range[1] = order.from + order.slots.length;
}
