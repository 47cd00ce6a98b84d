/**
 * Floats wait until they are sharp. A slow device begins with few pixels, which sphere and fireworks
 * bear well; floats would be a blur in the very first seconds, when the visitor looks. They fade in
 * once there are pixels enough, or once it is known that there will not be more.
 */
import type { Picture } from "../render/renderer.ts";

/** Device pixels for each CSS px from which floats are sharp enough (seen in screenshots). */
const SHARP_RATIO = 0.5;
const FADE_MS = 700;

/** Time in ms of the latest frame, and whether floats have been seen: they do not vanish again. */
export interface Reveal {
	readonly state: Float64Array;
}

export const createReveal = (): Reveal => ({ state: new Float64Array(2) });

/**
 * Moves the picture's clarity on.
 * @param ratio device pixels drawn for each CSS px
 * @param settled there will not be more of them soon
 */
export function reveal(
	{ state }: Reveal,
	picture: Picture,
	ratio: number,
	settled: boolean,
	timeMs: number,
): void {
	if (state[1] === 1 && picture.clarity === 1) return;
	const ms = state[0] === 0 ? FADE_MS : Math.max(0, timeMs - state[0]);
	state[0] = timeMs;
	if (ratio >= SHARP_RATIO || settled) state[1] = 1;
	picture.clarity = Math.min(state[1], picture.clarity + (state[1] * ms) / FADE_MS);
}
