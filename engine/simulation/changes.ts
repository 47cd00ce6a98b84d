/** Reports the slots written since a reader's last call: only those must be uploaded to the GPU. */
import { KINDS } from "./kinds.ts";
import type { Simulation } from "./simulation.ts";

export interface Cursor {
	readonly born: Int32Array;
	rewrites: number;
}

export function createCursor(): Cursor {
	return { born: new Int32Array(KINDS.length), rewrites: -1 };
}

/** Two ranges per ring, because changes may wrap around the ring's end. */
export const CHANGES_LENGTH = 4 * KINDS.length;

/**
 * Writes the changed ranges of slots: for each its first slot, and the slot after its last.
 * @param cursor is moved to the present
 * @param ranges has room for `CHANGES_LENGTH` numbers
 * @returns how many numbers were written
 */
export function readChanges(simulation: Simulation, cursor: Cursor, ranges: Int32Array): number {
	const { rings, slots, rewrites } = simulation;
	const anew = cursor.rewrites !== rewrites;
	let used = 0;
	for (let kind = 0; kind < rings.length; kind++) {
		const { born, first, length, width } = rings[kind];
		const seen = cursor.born[kind];
		cursor.born[kind] = born;
		if (anew || born === seen) continue;
		const from = born - seen < length ? seen % length : 0;
		const to = from + Math.min(born - seen, length);
		ranges[used++] = first + from * width;
		ranges[used++] = first + Math.min(to, length) * width;
		if (to <= length) continue;
		ranges[used++] = first;
		ranges[used++] = first + (to - length) * width;
	}
	cursor.rewrites = rewrites;
	if (!anew) return used;
	ranges[0] = 0;
	ranges[1] = slots;
	return 2;
}
