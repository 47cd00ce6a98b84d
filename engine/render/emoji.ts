import { EMOJI, FIELD, KIND, ordinalOf, type Simulation, STRIDE } from "../simulation/index.ts";

/** Steps from one float's emoji to the next one's, of which twenty make a circle. */
const STEP = 7;

/** In a burst a rainbow, which has two cut ends, is seen as one of these. */
const CUT = EMOJI.indexOf("🌈");
const WHOLE = [EMOJI.indexOf("💜"), EMOJI.indexOf("🌟"), EMOJI.indexOf("🌸")];

/**
 * The place of the emoji that a particle is seen as. Those of floats go round: by their records alike ones may rise side
 * by side, and of 22 floats at 1440 x 900 1.1 pairs are alike and within 300 px, like this 0.4 (mean of 16 seeds).
 */
export function emojiOf({ records: { floats }, rings, seed }: Simulation, slot: number): number {
	const r = slot * STRIDE;
	const emoji = floats[r + FIELD.emoji];
	if (floats[r + FIELD.kind] !== KIND.float)
		return emoji === CUT ? WHOLE[slot % WHOLE.length] : emoji;
	return (seed[0] + STEP * ordinalOf(rings[KIND.float], slot)) % EMOJI.length;
}
