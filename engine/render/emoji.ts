import {
	acrossOf,
	EMOJI,
	FIELD,
	KIND,
	ordinalOf,
	type Simulation,
	STRIDE,
} from "../simulation/index.ts";

/** Steps from one float's emoji to the next one's on its side: no divisor of their number, or some would never drift. */
export const stepOf = (emoji: number): number => [7, 11, 13].find((step) => emoji % step)!;

const STEP = stepOf(EMOJI.length);

/** In a burst a rainbow, which has two cut ends, is seen as a blossom. */
const CUT = EMOJI.indexOf("🌈");
const WHOLE = EMOJI.indexOf("🌸");

/**
 * The place of the emoji that a particle is seen as. By their records alike floats may rise side by side; like this each
 * twenty are of twenty kinds, and what is on the left in one of them is on the right in the next.
 */
export function emojiOf({ records: { floats }, rings, seed }: Simulation, slot: number): number {
	const r = slot * STRIDE;
	const emoji = floats[r + FIELD.emoji];
	if (floats[r + FIELD.kind] !== KIND.float) return emoji === CUT ? WHOLE : emoji;
	const ordinal = ordinalOf(rings[KIND.float], slot);
	const twenty = Math.floor(ordinal / EMOJI.length);
	const left = acrossOf(seed, ordinal) < 0;
	let before = 0;
	for (let other = twenty * EMOJI.length; other < ordinal; other++) {
		if (acrossOf(seed, other) < 0 === left) before++;
	}
	const place = left === (twenty % 2 === 0) ? before : EMOJI.length - 1 - before;
	return (seed[0] + STEP * place) % EMOJI.length;
}
