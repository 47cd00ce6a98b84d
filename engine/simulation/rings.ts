/**
 * Assigns slots: a particle's ordinal modulo its ring's length.
 *
 *     | floats | rockets | bursts, 25 slots each | …
 */
import { KINDS, type Kind } from "./kinds.ts";
import type { KIND, KindName } from "./particles.ts";
import { BIRTH_PLAN, type BirthPlan } from "./rules.ts";
import type { Cadence, Run } from "./runs.ts";

/** A kind's slots: `width` per birth, `length` births. Each new birth reuses the oldest slots. */
export interface Ring extends Cadence {
	readonly kind: Kind;
	readonly first: number;
	readonly length: number;
	readonly width: number;
	readonly delay: number;
	runs: readonly Run[];
	born: number;
}

/**
 * Room for all particles that can be alive. Initial ones count twice, because a visitor may leave a
 * scene and return. If that happens twice within 3 s, the oldest fading particles vanish early.
 */
function ringLength(cadence: Cadence, life: number): number {
	return 2 * cadence.initial + cadence.batch * Math.ceil(life / cadence.every);
}

export type Rings = readonly Ring[] & { readonly [Kind in (typeof KIND)[KindName]]: Ring };

export function layOutRings(plan: BirthPlan = BIRTH_PLAN): Rings {
	let first = 0;
	return KINDS.map((kind) => {
		const { every, delay, width } = kind;
		const cadence = { ...plan[kind.plan], every };
		const length = ringLength(cadence, kind.life);
		const ring = { ...cadence, kind, first, length, width, delay, runs: [], born: 0 };
		first += length * width;
		return ring;
	}) as readonly Ring[] as Rings;
}

export function slotOf(ring: Ring, ordinal: number): number {
	return ring.first + (ordinal % ring.length) * ring.width;
}

/** Ordinal of the latest birth in a slot; below 0 if there was none. */
export function ordinalOf({ first, length, width, born }: Ring, slot: number): number {
	const place = Math.floor((slot - first) / width);
	return place + length * (Math.ceil((born - place) / length) - 1);
}
