/**
 * What the visitor's hand does to the picture: it leans with what points, near floats give way to it and
 * spring back, a finger turns the silk, and the sphere breathes in at a tap, a key or a join. All of it is in
 * the picture and none in the simulation, so that recordings and seeds show the same however the hand moves.
 */
import type { Facts } from "../messages.ts";
import type { Picture } from "../render/renderer.ts";

/** ms in which the picture comes to within a third of where the pointer is. */
const LEAN_MS = 160;
/** ms in which a breath is drawn in, and in which it goes; its strength makes the deepest about 1. */
const BREATH = { inMs: 140, outMs: 650, strength: 1.5 };
/**
 * The hand that floats give way to hangs on the real one by a spring: its angular frequency, and its friction as
 * a share of what would let it rest without a swing. It is stepped at least so often.
 */
const SPRING = { perMs: 0.018, friction: 0.5, stepMs: 8 };
/** Radians by which the silk turns for a finger's way across the window, and ms in which two thirds of it pass: it is heavy. */
const TURN = { radians: 2.4, ms: 420 };
/** The most ms that one frame moves it by: after a pause it goes on where it was. */
const MOST_MS = 100;

/** How deep it breathes in where it takes a rocket (7 % larger) rather than a tap (3 %), and at a key (1 %). */
export const DEEP = 7 / 3;
export const SHALLOW = 1 / 3;

/** What is closer than this to its end is there: a hand at rest costs nothing. */
const LEAST = 0.0005;

/**
 * Places in the state: time of the latest frame in ms, what is left of the breath to draw in and how deep it may be; the
 * hand's place and strength, each with its speed per ms; how far fingers had turned the silk, and its speed.
 */
const STATE = {
	timeMs: 0,
	breath: 1,
	depth: 2,
	handX: 3,
	handY: 5,
	hand: 7,
	turned: 9,
	spin: 10,
	length: 11,
} as const;

/** In one array, so that no frame leaves numbers on the heap. */
export interface Touch {
	/** Numbers at the places of `STATE`. */
	readonly state: Float64Array;
}

/** @param facts the first ones: how far fingers had turned the silk before counts for nothing */
export function createTouch({ turned }: Readonly<Facts>): Touch {
	const state = new Float64Array(STATE.length);
	state[STATE.turned] = turned;
	return { state };
}

/** The sphere breathes in, at a tap or a duplicate 1 deep. While it breathes more deeply it goes on doing that. */
export function breathe({ state }: Touch, depth = 1): void {
	if (state[STATE.breath] > BREATH.strength * depth) return;
	state[STATE.breath] = BREATH.strength * depth;
	state[STATE.depth] = depth;
}

/** Moves all of it on to the time of a frame in which things move. */
export function moveTouch(
	{ state }: Touch,
	picture: Picture,
	facts: Readonly<Facts>,
	timeMs: number,
): void {
	const ms = Math.min(Math.max(0, timeMs - state[STATE.timeMs]), MOST_MS);
	state[STATE.timeMs] = timeMs;
	lean(picture, facts, ms);
	giveWay(state, picture, facts, ms);
	turnSilk(state, picture, facts, ms);
	if (state[STATE.breath] === 0) return;
	const swell =
		picture.swell + (state[STATE.breath] - picture.swell) * (1 - Math.exp(-ms / BREATH.inMs));
	// One that was deeper goes on from where it is.
	picture.swell = Math.min(Math.max(state[STATE.depth], picture.swell), swell);
	state[STATE.breath] *= Math.exp(-ms / BREATH.outMs);
	if (state[STATE.breath] > LEAST) return;
	state[STATE.breath] = 0;
	picture.swell = 0;
}

function lean(
	picture: Picture,
	{ pointing, pointerX, pointerY }: Readonly<Facts>,
	ms: number,
): void {
	const x = pointing ? pointerX : 0;
	const y = pointing ? pointerY : 0;
	if (picture.leanX === x && picture.leanY === y) return;
	const near = Math.abs(x - picture.leanX) + Math.abs(y - picture.leanY) < LEAST;
	const share = near ? 1 : 1 - Math.exp(-ms / LEAN_MS);
	picture.leanX += (x - picture.leanX) * share;
	picture.leanY += (y - picture.leanY) * share;
}

function giveWay(
	state: Float64Array,
	picture: Picture,
	{ pointing, pointerX, pointerY }: Readonly<Facts>,
	ms: number,
): void {
	if (state[STATE.hand] === 0) {
		if (!pointing) return;
		// A hand that comes is there at once. One that goes is where it was.
		state[STATE.handX] = pointerX;
		state[STATE.handY] = pointerY;
	}
	spring(state, STATE.handX, pointerX, ms);
	spring(state, STATE.handY, pointerY, ms);
	spring(state, STATE.hand, pointing ? 1 : 0, ms);
	picture.handX = state[STATE.handX];
	picture.handY = state[STATE.handY];
	picture.hand = state[STATE.hand];
}

/** Moves what is at a place on by ms, and its speed, which is in the next one. */
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
	{ turned }: Readonly<Facts>,
	ms: number,
): void {
	state[STATE.spin] += ((turned - state[STATE.turned]) * TURN.radians) / TURN.ms;
	state[STATE.turned] = turned;
	const share = 1 - Math.exp(-ms / TURN.ms);
	picture.turn += state[STATE.spin] * TURN.ms * share;
	state[STATE.spin] *= 1 - share;
	if (Math.abs(state[STATE.spin]) * TURN.ms < LEAST) state[STATE.spin] = 0;
}
