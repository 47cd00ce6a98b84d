import {
	between,
	FIELD,
	FLIGHT,
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
 * Of each side one burst is seen high and the next one low: where three start at once, the next one of a side would open
 * inside the last one. In world units, where the rocket in a slot bursts, or the spark in it has burst.
 */
export function heightOf({ records: { floats }, rings }: Simulation, slot: number): number {
	const r = slot * STRIDE;
	const kind = floats[r + FIELD.kind];
	const y = floats[r + FIELD.y] + (kind === KIND.rocket ? floats[r + FIELD.velocityY] * FLIGHT : 0);
	// Nor are both sides low for long: high, low, low, high.
	const isLow = (ordinalOf(rings[kind], slot) + 1) % 4 > 1;
	const [from, to] = y < 0 ? ROCKET.low : ROCKET.high;
	return between(isLow ? ROCKET.low : ROCKET.high, (y - from) / (to - from));
}
