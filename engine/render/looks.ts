import { EMOJI } from "../simulation/index.ts";

/** How the picture looks, apart from what happens in it: who embeds the engine may choose it. */
export interface Looks {
	/**
	 * As many as `EMOJI` has, because the simulation counts on them. The one in the place of the rocket
	 * there flies as rockets: it must be painted heading up and to the right.
	 */
	readonly emoji: readonly string[];
}

/** The looks where no others are asked for. */
export const LOOKS: Looks = { emoji: EMOJI };
