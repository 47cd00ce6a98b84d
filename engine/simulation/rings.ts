/**
 * Which slot a particle has: its ordinal modulo the length of its ring.
 *
 *     | floats | rockets | bursts, 25 slots each |
 */
import { CROWD, type Crowd, DRIFT, FIREWORKS } from "./rules.ts";
import type { Cadence, Run } from "./runs.ts";

/** One kind of birth, and the slots that its particles go round. */
export interface Ring extends Cadence {
	/** The bit of the scenes that it belongs to. */
	readonly bit: number;
	/** Ticks from the beat of its cadence to the birth: a burst follows the beat of its launch. */
	readonly delay: number;
	/** Its first slot, how many births it has room for, and the slots of one birth. */
	readonly first: number;
	readonly length: number;
	readonly width: number;
	/** When births go on. */
	runs: readonly Run[];
	/** Births so far. */
	born: number;
}

/** Bits of a scene's place in `SCENES`: whether it has floats, and whether it has fireworks. */
const DRIFT_BIT = 1;
export const FIREWORKS_BIT = 2;

/** The rings of floats, rockets and bursts, in the order of `KIND`. */
export type Rings = readonly [floats: Ring, rockets: Ring, bursts: Ring];

/**
 * Room for all births in the longest life, and so for all that can be alive: those at the start, a
 * batch for each period that begins within that life, and the start once more, as a scene may be
 * left and come back to within it. A visitor who does so twice within 3 s sees the oldest of what
 * is fading go early. Every rocket still bursts, as a burst does not read its rocket's slot.
 */
function ringLength(cadence: Cadence, life: number): number {
	return 2 * cadence.initial + cadence.batch * Math.ceil(life / cadence.every);
}

export function layOutRings(crowd: Crowd = CROWD): Rings {
	const drifting = { ...crowd.floats, every: DRIFT.every, bit: DRIFT_BIT };
	const flying = { ...crowd.rockets, every: FIREWORKS.every, bit: FIREWORKS_BIT };
	const longest = DRIFT.life[1] + DRIFT.farewell;
	const floats = ringLength(drifting, longest);
	const rockets = ringLength(flying, FIREWORKS.fuse);
	const bursts = ringLength(flying, FIREWORKS.sparkLife);
	const fresh = { delay: 0, width: 1, runs: [], born: 0 };
	return [
		{ ...fresh, ...drifting, first: 0, length: floats },
		{ ...fresh, ...flying, first: floats, length: rockets },
		{
			...{ ...fresh, ...flying, first: floats + rockets, length: bursts },
			...{ delay: FIREWORKS.fuse, width: FIREWORKS.sparks },
		},
	];
}

/** The first slot of a birth. */
export function slotOf(ring: Ring, ordinal: number): number {
	return ring.first + (ordinal % ring.length) * ring.width;
}
