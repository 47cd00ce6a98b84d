/**
 * Which slot a particle has: its ordinal modulo the length of its ring.
 *
 *     | floats | rockets | bursts, 25 slots each |
 */
import { KINDS, type Kind } from "./kinds.ts";
import type { KIND, KindName } from "./particles.ts";
import { CROWD, type Crowd } from "./rules.ts";
import type { Cadence, Run } from "./runs.ts";

/** One kind of birth, and the slots that its particles go round. */
export interface Ring extends Cadence {
	readonly kind: Kind;
	/** Its first slot, and how many births it has room for. */
	readonly first: number;
	readonly length: number;
	/** Slots of one birth. */
	readonly width: number;
	/** Ticks from the beat of its cadence to the birth. */
	readonly delay: number;
	/** When births go on. */
	runs: readonly Run[];
	/** Births so far. */
	born: number;
}

/**
 * Room for all births in the longest life, and so for all that can be alive: those at the start, a
 * batch for each period that begins within that life, and the start once more, as a scene may be
 * left and come back to within it. A visitor who does so twice within 3 s sees the oldest of what
 * is fading go early. Every rocket still bursts, as a burst does not read its rocket's slot.
 */
function ringLength(cadence: Cadence, life: number): number {
	return 2 * cadence.initial + cadence.batch * Math.ceil(life / cadence.every);
}

/** In the order of `KIND`. */
export type Rings = readonly Ring[] & { readonly [Kind in (typeof KIND)[KindName]]: Ring };

/** A ring for each of `KINDS`, one after the other. */
export function layOutRings(crowd: Crowd = CROWD): Rings {
	let first = 0;
	return KINDS.map((kind) => {
		const { every, delay, width } = kind;
		const cadence = { ...crowd[kind.crowd], every };
		const length = ringLength(cadence, kind.life);
		const ring = { ...cadence, kind, first, length, width, delay, runs: [], born: 0 };
		first += length * width;
		return ring;
	}) as readonly Ring[] as Rings;
}

/** The first slot of a birth. */
export function slotOf(ring: Ring, ordinal: number): number {
	return ring.first + (ordinal % ring.length) * ring.width;
}

/** The latest birth that the slot is of; below 0 where there was none. */
export function ordinalOf({ first, length, width, born }: Ring, slot: number): number {
	const place = Math.floor((slot - first) / width);
	return place + length * (Math.ceil((born - place) / length) - 1);
}
