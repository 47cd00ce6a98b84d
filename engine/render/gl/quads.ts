import {
	CHANGES_LENGTH,
	type Cursor,
	createCursor,
	FIELD,
	readChanges,
	type Simulation,
	STRIDE,
} from "../../simulation/index.ts";
import { lightCellOf, lightsOf } from "../lights.ts";

/** Numbers in a vertex: corner and lag of a light, then the particle's record. */
export const VERTEX = 3 + STRIDE;
const QUAD = 4 * VERTEX;
const CORNERS = [-1, -1, 1, -1, -1, 1, 1, 1];

/**
 * The GPU gets ticks since an epoch, and the epoch moves on: a tick and fraction as a 32-bit float
 * is off by 1/64 of a tick after an hour, and by half a tick after a day.
 */
const EPOCH_TICKS = 36_000;

/** The simulation's records as vertices: four for each particle, and for each of its lights. */
export interface Quads {
	readonly simulation: Simulation;
	readonly vertices: Float32Array;
	/** First quad of each slot, and at the end the number of quads. */
	readonly starts: Int32Array;
	/** The tick that is 0 in the vertices. */
	epoch: number;
	/** Last death in each ring: a ring in which all are dead is not drawn. */
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
	return {
		simulation,
		vertices: new Float32Array(starts[slots] * QUAD),
		starts,
		epoch: 0,
		ends: new Float64Array(rings.length),
		cursor: createCursor(),
		ranges: new Int32Array(CHANGES_LENGTH),
	};
}

/** The corners of each quad as two triangles, for an element buffer. */
export function quadTriangles(quads: Quads): number[] {
	const count = quads.starts[quads.simulation.slots];
	return Array.from({ length: count }, (_, quad) => quad * 4).flatMap((corner) => [
		...[corner, corner + 1, corner + 2],
		...[corner + 2, corner + 1, corner + 3],
	]);
}

/**
 * Brings the vertices up to the simulation's present.
 * @param upload called with each part of `vertices` that was written: its start and its end
 */
export function writeBirths(quads: Quads, upload: (from: number, to: number) => void): void {
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
	if (used === 0) return;
	for (let kind = 0; kind < simulation.rings.length; kind++) {
		quads.ends[kind] = lastDeath(quads, kind);
	}
}

/** Writes a particle's lights, and then itself: what comes later is in front. */
function writeSlot({ simulation, vertices, starts, epoch }: Quads, slot: number): void {
	const { floats, ints } = simulation.records;
	const record = slot * STRIDE;
	const lights = lightsOf(simulation, slot);
	const cell = lightCellOf(simulation, slot);
	for (let quad = 0; quad <= lights.length; quad++) {
		const light = quad < lights.length ? lights[quad] : undefined;
		const radius = light ? light.radius : 1;
		for (let corner = 0; corner < 4; corner++) {
			let at = ((starts[slot] + quad) * 4 + corner) * VERTEX;
			vertices[at++] = CORNERS[corner * 2] * radius;
			vertices[at++] = CORNERS[corner * 2 + 1] * radius;
			vertices[at++] = light ? light.lag : 0;
			for (let word = 0; word < STRIDE; word++) vertices[at + word] = floats[record + word];
			vertices[at + FIELD.birth] = ints[record + FIELD.birth] - epoch;
			vertices[at + FIELD.death] = ints[record + FIELD.death] - epoch;
			if (light) vertices[at + FIELD.emoji] = cell;
		}
	}
}

function lastDeath({ simulation }: Quads, kind: number): number {
	const { first, length, width } = simulation.rings[kind];
	let last = 0;
	for (let slot = first; slot < first + length * width; slot++) {
		last = Math.max(last, simulation.records.ints[slot * STRIDE + FIELD.death]);
	}
	return last;
}

/**
 * Puts the quads to draw into `range`: the first one, and the one after the last. They reach from
 * the first ring with anything alive to the last one.
 */
export function quadsToDraw({ simulation, starts, ends }: Quads, range: Int32Array): void {
	const { rings, tick } = simulation;
	range[0] = 0;
	range[1] = 0;
	for (let kind = 0; kind < rings.length; kind++) {
		if (ends[kind] <= tick) continue;
		const { first, length, width } = rings[kind];
		if (range[1] === 0) range[0] = starts[first];
		range[1] = starts[first + length * width];
	}
}
