/**
 * Hides floats until they are sharp. A slow device starts with few pixels, which suit sphere and
 * fireworks, but would blur floats in the first seconds, when the visitor looks. They fade in with
 * enough pixels, or once no more will come.
 */
import type { Picture } from "../render/renderer.ts";

/** Device pixels per CSS px at which floats look sharp (seen in screenshots). */
const SHARP_RATIO = 0.5;
const FADE_MS = 700;

/** Indices: ms of the latest frame; 1 once floats have shown. */
const STATE = { timeMs: 0, seen: 1, length: 2 } as const;

export interface Reveal {
	readonly state: Float64Array;
}

export const createReveal = (): Reveal => ({ state: new Float64Array(STATE.length) });

/**
 * @param ratio device pixels drawn per CSS px
 * @param settled the ratio will not rise soon
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
