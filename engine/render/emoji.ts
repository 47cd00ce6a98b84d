import {
	EMOJI,
	FIELD,
	FLOAT,
	floatXOf,
	KIND,
	ordinalOf,
	type Simulation,
	STRIDE,
} from "../simulation/index.ts";

/** Consecutive floats on one side show emoji a third of the list apart. */
const STEP = FLOAT.emojiSteps.find((step) => step > EMOJI.length / 3)!;

/**
 * Shows each emoji once before any repeats: one side takes them from the list's start, the other
 * from its end. In the next round the sides swap, so that equal emoji are never neighbors.
 */
export function emojiOf({ records: { floats }, rings, seed }: Simulation, slot: number): number {
	const r = slot * STRIDE;
	const emoji = floats[r + FIELD.emoji];
	if (floats[r + FIELD.kind] !== KIND.float) return emoji;
	const ordinal = ordinalOf(rings[KIND.float], slot);
	const round = Math.floor(ordinal / EMOJI.length);
	const left = floatXOf(seed, ordinal) < 0;
	let before = 0;
	for (let other = round * EMOJI.length; other < ordinal; other++) {
		if (floatXOf(seed, other) < 0 === left) before++;
	}
	const place = left === (round % 2 === 0) ? before : EMOJI.length - 1 - before;
	return (seed[0] + STEP * place) % EMOJI.length;
}
