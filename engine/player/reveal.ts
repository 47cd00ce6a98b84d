/**
 * Hides floats until they are sharp: a slow device starts with few pixels, which would blur them.
 * They fade in once the picture has enough pixels, or will not get more.
 */
import type { Picture } from "../render/renderer.ts";

/** Device pixels per CSS px at which floats look sharp (seen in screenshots). */
const SHARP_RATIO = 0.5;
const FADE_MS = 700;
/** ms after which a slow device is not expected to get more pixels soon. */
const SETTLED_MS = 8_000;

/** Indices: time of the first and the latest frame; `seen` is 1 once floats have shown. */
const STATE = { firstMs: 0, timeMs: 1, seen: 2, length: 3 } as const;

export interface FloatReveal {
	readonly state: Float64Array;
}

export const createFloatReveal = (): FloatReveal => ({ state: new Float64Array(STATE.length) });

/**
 * @param ratio device pixels drawn per CSS px
 * @param final true if the ratio will not rise
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
