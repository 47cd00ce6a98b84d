/**
 * Hides floats while a slow device draws too few pixels, which would blur them. Floats fade in once
 * the picture has enough pixels, or will not get more.
 */
import type { Picture } from "../render/renderer.ts";

/** Floats look sharp from this many device pixels per CSS px on. */
const SHARP_RATIO = 0.5;
const FADE_MS = 700;
/** ms after which floats fade in even if the picture is coarse. */
const SETTLED_MS = 8_000;

/** Indices: time of the first and the latest frame; `seen` is 1 once floats may fade in. */
const STATE = { firstMs: 0, timeMs: 1, seen: 2, length: 3 } as const;

export interface FloatReveal {
	readonly state: Float64Array;
}

export const createFloatReveal = (): FloatReveal => ({ state: new Float64Array(STATE.length) });

/**
 * @param ratio device pixels drawn per CSS px
 * @param final whether the ratio will not rise
 */
export function revealFloats(
	{ state }: FloatReveal,
	picture: Picture,
	ratio: number,
	final: boolean,
	timeMs: number,
): void {
	if (state[STATE.seen] === 1 && picture.clarity === 1) return;
	const ms = state[STATE.timeMs] === 0 ? FADE_MS : Math.max(0, timeMs - state[STATE.timeMs]);
	state[STATE.timeMs] = timeMs;
	state[STATE.firstMs] ||= timeMs;
	const settled = final || timeMs - state[STATE.firstMs] >= SETTLED_MS;
	if (ratio >= SHARP_RATIO || settled) state[STATE.seen] = 1;
	picture.clarity = Math.min(
		state[STATE.seen],
		picture.clarity + (state[STATE.seen] * ms) / FADE_MS,
	);
}
