/**
 * What the visitor's hand does to the picture: it leans with the pointer, and the sphere breathes in at
 * a tap or a join. All of it is in the picture and none in the simulation, so that recordings and
 * seeds show the same however the hand moves.
 */
import type { Facts } from "../messages.ts";
import type { Picture } from "../render/renderer.ts";

/** ms in which the picture comes to within a third of where the pointer is. */
const LEAN_MS = 160;
/** ms in which a breath is drawn in, and in which it goes; its strength makes the deepest about 1. */
const BREATH = { inMs: 140, outMs: 650, strength: 1.5 };
/** The most ms that one frame moves it by: after a pause it goes on where it was. */
const MOST_MS = 100;

/** How deep it breathes in where it takes a rocket (7 % larger) rather than a tap (3 %). */
export const DEEP = 7 / 3;

/** What is closer than this to its end is there: a hand at rest costs nothing. */
const LEAST = 0.0005;

/** Places in the state: time of the latest frame in ms, and what is left of the breath to draw in. */
const STATE = { timeMs: 0, breath: 1, depth: 2, length: 3 } as const;

/** In one array, so that no frame leaves numbers on the heap. */
export interface Touch {
	/** Numbers at the places of `STATE`. */
	readonly state: Float64Array;
}

export const createTouch = (): Touch => ({ state: new Float64Array(STATE.length) });

/** The sphere breathes in: for a tap or a duplicate, or deeper. */
export function breathe({ state }: Touch, depth = 1): void {
	state[STATE.breath] = BREATH.strength * depth;
	state[STATE.depth] = depth;
}

/** Moves lean and breath on to the time of a frame in which things move. */
export function follow(
	{ state }: Touch,
	picture: Picture,
	{ pointerX, pointerY }: Readonly<Facts>,
	timeMs: number,
): void {
	const ms = Math.min(Math.max(0, timeMs - state[STATE.timeMs]), MOST_MS);
	state[STATE.timeMs] = timeMs;
	lean(picture, pointerX, pointerY, ms);
	if (state[STATE.breath] === 0) return;
	const swell =
		picture.swell + (state[STATE.breath] - picture.swell) * (1 - Math.exp(-ms / BREATH.inMs));
	picture.swell = Math.min(state[STATE.depth], swell);
	state[STATE.breath] *= Math.exp(-ms / BREATH.outMs);
	if (state[STATE.breath] > LEAST) return;
	state[STATE.breath] = 0;
	picture.swell = 0;
}

function lean(picture: Picture, x: number, y: number, ms: number): void {
	if (picture.leanX === x && picture.leanY === y) return;
	const near = Math.abs(x - picture.leanX) + Math.abs(y - picture.leanY) < LEAST;
	const share = near ? 1 : 1 - Math.exp(-ms / LEAN_MS);
	picture.leanX += (x - picture.leanX) * share;
	picture.leanY += (y - picture.leanY) * share;
}
