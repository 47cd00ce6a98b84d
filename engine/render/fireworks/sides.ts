import {
	between,
	FIELD,
	KIND,
	ordinalOf,
	ROCKET,
	type Simulation,
	STRIDE,
} from "../../simulation/index.ts";

/**
 * Rockets and their bursts are seen to the left and to the right by turns: by chance three of four may be on one side,
 * and the other half of the night has nothing but embers. It is nothing that the simulation knows of.
 * @returns what to multiply the x of the particle in a slot by: -1 where it is seen on the other side
 */
export function sideOf({ records: { floats }, rings }: Simulation, slot: number): number {
	const r = slot * STRIDE;
	const kind = floats[r + FIELD.kind];
	if (kind === KIND.float) return 1;
	return floats[r + FIELD.x] < 0 === (ordinalOf(rings[kind], slot) % 2 === 0) ? 1 : -1;
}

/**
 * The height at which the rocket in a slot bursts, or the spark in it has burst, in world units. Of each side one burst is
 * seen high and the next one low: where three start at once, the next one of a side would open inside the last one.
 */
export function heightOf({ records: { floats }, rings }: Simulation, slot: number): number {
	const ordinal = ordinalOf(rings[floats[slot * STRIDE + FIELD.kind]], slot);
	// Nor are both sides low for long: high, low, low, high.
	return between(
		(ordinal + 1) % 4 > 1 ? ROCKET.low : ROCKET.high,
		(0.5 + ordinal * ROCKET.step) % 1,
	);
}
