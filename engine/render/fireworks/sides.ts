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
 * Alternates rockets between left and right. Random sides could leave half of the sky empty for long.
 * @returns the factor for x: -1 mirrors
 */
export function rocketSideOf({ records: { floats }, rings }: Simulation, slot: number): number {
	const r = slot * STRIDE;
	const kind = floats[r + FIELD.kind];
	if (kind !== KIND.rocket && kind !== KIND.spark) return 1;
	return floats[r + FIELD.x] < 0 === (ordinalOf(rings[kind], slot) % 2 === 0) ? 1 : -1;
}

/**
 * A burst's height in world units, alternately high and low on each side. Otherwise a salute's
 * later burst could open inside the first.
 */
export function burstHeightOf({ records: { floats }, rings }: Simulation, slot: number): number {
	const ordinal = ordinalOf(rings[floats[slot * STRIDE + FIELD.kind]], slot);
	// Sides alternate per rocket, so high, low, low, high alternates on each side.
	return between(
		(ordinal + 1) % 4 > 1 ? ROCKET.low : ROCKET.high,
		(0.5 + ordinal * ROCKET.step) % 1,
	);
}
