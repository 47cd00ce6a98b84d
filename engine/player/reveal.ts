/**
 * Floats wait until they are sharp. A slow device begins with few pixels, which sphere and fireworks
 * bear well; floats would be a blur in the very first seconds, when the visitor looks. They fade in
 * once there are pixels enough, or once it is known that there will not be more.
 */
import type { Picture } from "../render/renderer.ts";

/** Device pixels for each CSS px from which floats are sharp enough (seen in screenshots). */
const SHARP_RATIO = 0.5;
const FADE_MS = 700;

/** Places in the state: time of the latest frame in ms, and 1 once floats are seen, which never vanish again. */
const STATE = { timeMs: 0, seen: 1, length: 2 } as const;

export interface Reveal {
	/** Numbers at the places of `STATE`. */
	readonly state: Float64Array;
}

export const createReveal = (): Reveal => ({ state: new Float64Array(STATE.length) });

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
	if (state[STATE.seen] === 1 && picture.clarity === 1) return;
	const ms = state[STATE.timeMs] === 0 ? FADE_MS : Math.max(0, timeMs - state[STATE.timeMs]);
	state[STATE.timeMs] = timeMs;
	if (ratio >= SHARP_RATIO || settled) state[STATE.seen] = 1;
	picture.clarity = Math.min(
		state[STATE.seen],
		picture.clarity + (state[STATE.seen] * ms) / FADE_MS,
	);
}
