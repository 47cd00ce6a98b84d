import {
	acrossOf,
	EMOJI,
	FIELD,
	KIND,
	ordinalOf,
	type Simulation,
	STRIDE,
} from "../simulation/index.ts";

/** Step through the emoji between successive floats on one side. A divisor of their number would skip some. */
export const stepOf = (emoji: number): number => [7, 11, 13].find((step) => emoji % step)!;

const STEP = stepOf(EMOJI.length);

/** A rainbow has two cut ends, so bursts show a blossom instead. */
const CUT = EMOJI.indexOf("🌈");
const WHOLE = EMOJI.indexOf("🌸");

/**
 * Records alone would put equal emoji side by side; this way every twenty floats show twenty kinds,
 * which swap sides in the next twenty.
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
