/**
 * Reactions to pointer, finger, taps and keys. They do not reach the simulation, so the same seed
 * always plays the same show.
 */
import type { PageState } from "../messages.ts";
import type { Picture } from "../render/renderer.ts";

/** Time constant in ms with which the parallax follows the pointer. */
const LEAN_MS = 160;
/** Time constants in ms. With this `strength`, the swell peaks at about the breath's depth. */
const BREATH = { inMs: 140, outMs: 650, strength: 1.5 };
/** Floats avoid a point that a spring pulls to the pointer. `friction` 1 is critical damping. */
const SPRING = { perMs: 0.018, friction: 0.5, stepMs: 8 };
/** Radians that the silk turns per window width of finger travel, and the turn's time constant. */
const TURN = { radians: 2.4, ms: 420 };
/** Longer frame intervals count as this many ms, so that a pause causes no jump. */
const MOST_MS = 100;

/** Breath depths of a hit and a key, as multiples of a tap's, which is 3% of the sphere's radius. */
const DEEP = 7 / 3;
const SHALLOW = 1 / 3;

/** Numbers this close to their target snap to it, so that a resting pointer costs nothing. */
const LEAST = 0.0005;

/** Indices. A speed per ms follows each of `pointerX`, `pointerY` and `pointer`. */
const STATE = {
	timeMs: 0,
	breath: 1,
	depth: 2,
	pointerX: 3,
	pointerY: 5,
	pointer: 7,
	turned: 9,
	spin: 10,
	length: 11,
} as const;

/** One array, so that no frame allocates numbers. */
export interface InputResponse {
	readonly state: Float64Array;
}

/** @param turned finger travel before the start, which does not turn the silk */
export function createInputResponse({ turned }: Readonly<PageState>): InputResponse {
	const state = new Float64Array(STATE.length);
	state[STATE.turned] = turned;
	return { state };
}

export function startBreathAtInput(
	touch: InputResponse,
	before: Readonly<PageState>,
	{ hits, taps, breaths, keys }: Readonly<PageState>,
): void {
	if (hits > before.hits) breathe(touch, DEEP);
	else if (taps > before.taps || breaths > before.breaths) breathe(touch, 1);
	else if (keys > before.keys) breathe(touch, SHALLOW);
}

/** Starts a breath, unless a deeper one is under way. */
function breathe({ state }: InputResponse, depth: number): void {
	if (state[STATE.breath] > BREATH.strength * depth) return;
	state[STATE.breath] = BREATH.strength * depth;
	state[STATE.depth] = depth;
}

export function animateInputResponse(
	{ state }: InputResponse,
	picture: Picture,
	pageState: Readonly<PageState>,
	timeMs: number,
): void {
	const ms = Math.min(Math.max(0, timeMs - state[STATE.timeMs]), MOST_MS);
	state[STATE.timeMs] = timeMs;
	lean(picture, pageState, ms);
	giveWay(state, picture, pageState, ms);
	turnSilk(state, picture, pageState, ms);
	if (state[STATE.breath] === 0) return;
	const swell =
		picture.swell + (state[STATE.breath] - picture.swell) * (1 - Math.exp(-ms / BREATH.inMs));
	picture.swell = Math.min(Math.max(state[STATE.depth], picture.swell), swell);
	state[STATE.breath] *= Math.exp(-ms / BREATH.outMs);
	if (state[STATE.breath] > LEAST) return;
	state[STATE.breath] = 0;
	picture.swell = 0;
}

function lean(
	picture: Picture,
	{ pointing, pointerX, pointerY }: Readonly<PageState>,
	ms: number,
): void {
	const x = pointing ? pointerX : 0;
	const y = pointing ? pointerY : 0;
	if (picture.parallaxX === x && picture.parallaxY === y) return;
	const near = Math.abs(x - picture.parallaxX) + Math.abs(y - picture.parallaxY) < LEAST;
	const share = near ? 1 : 1 - Math.exp(-ms / LEAN_MS);
	picture.parallaxX += (x - picture.parallaxX) * share;
	picture.parallaxY += (y - picture.parallaxY) * share;
}

function giveWay(
	state: Float64Array,
	picture: Picture,
	{ pointing, pointerX, pointerY }: Readonly<PageState>,
	ms: number,
): void {
	if (state[STATE.pointer] === 0) {
		if (!pointing) return;
		// Without this, the spring would start where the pointer last left.
		state[STATE.pointerX] = pointerX;
		state[STATE.pointerY] = pointerY;
	}
	spring(state, STATE.pointerX, pointerX, ms);
	spring(state, STATE.pointerY, pointerY, ms);
	spring(state, STATE.pointer, pointing ? 1 : 0, ms);
	picture.pointerX = state[STATE.pointerX];
	picture.pointerY = state[STATE.pointerY];
	picture.pointer = state[STATE.pointer];
}

function spring(state: Float64Array, at: number, to: number, ms: number): void {
	const steps = Math.ceil(ms / SPRING.stepMs);
	const { perMs, friction } = SPRING;
	for (let step = 0; step < steps; step++) {
		const pull = (to - state[at]) * perMs - 2 * friction * state[at + 1];
		state[at + 1] += (pull * perMs * ms) / steps;
		state[at] += (state[at + 1] * ms) / steps;
	}
	if (Math.abs(to - state[at]) + Math.abs(state[at + 1]) / perMs > LEAST) return;
	state[at] = to;
	state[at + 1] = 0;
}

function turnSilk(
	state: Float64Array,
	picture: Picture,
	{ turned }: Readonly<PageState>,
	ms: number,
): void {
	state[STATE.spin] += ((turned - state[STATE.turned]) * TURN.radians) / TURN.ms;
	state[STATE.turned] = turned;
	const share = 1 - Math.exp(-ms / TURN.ms);
	picture.turn += state[STATE.spin] * TURN.ms * share;
	state[STATE.spin] *= 1 - share;
	if (Math.abs(state[STATE.spin]) * TURN.ms < LEAST) state[STATE.spin] = 0;
}
