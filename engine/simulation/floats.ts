/**
 * Drift: emoji that rise from below the window to above it, swaying and leaning. Size and speed
 * suggest depth: small floats are far away and rise slowly.
 */
import { ORBIT } from "./motion.ts";
import { FIELD, KIND, type Records, STRIDE } from "./particles.ts";
import { between, drawRandom, RANDOM_STREAM } from "./random.ts";
import { DRIFT, EMOJI } from "./rules.ts";

function divisor(one: number, other: number): number {
	return one === 0 ? other : divisor(other % one, one);
}

/** World units, ticks, turns and spans. */
export const FLOAT = {
	edge: 1.2, // floats rise from y = -1.2 to 1.2, both out of sight
	breadth: 0.95, // maximum distance from the center, halfway up
	across: 0.45, // maximum sideways travel in a life
	firstPlaces: [-0.85, 0.6], // y where a scene's first floats are born
	sway: [0.015, 0.06],
	swayPeriod: [300, 660],
	turn: 0.05, // maximum at birth
	spin: 0.12, // maximum change in a life
	fadeIn: 45,
	// Multiples of these spread births evenly over x and y (Roberts 2018, "The unreasonable
	// effectiveness of quasirandom sequences").
	steps: [0.7548776662466927, 0.5698402909980532],
	// Steps through the emoji that visit all before any repeats: coprime with their number.
	emojiSteps: EMOJI.map((_, step) => step).filter((step) => divisor(step, EMOJI.length) === 1),
} as const;

const order = new Float64Array(4);
const chance = new Float64Array(8);

const fraction = (value: number) => value - Math.floor(value);

/** A float's x, -1 to 1. Fills `order` with random numbers that `EMOJI.length` floats share. */
export function floatXOf(seed: Uint32Array, ordinal: number): number {
	drawRandom(seed, RANDOM_STREAM.floatOrder, Math.floor(ordinal / EMOJI.length), order);
	return fraction(order[1] + ordinal * FLOAT.steps[0]) * 2 - 1;
}

/** @param farewell the tick by which the float must be gone */
export function writeFloat(
	{ floats, ints }: Records,
	slot: number,
	seed: Uint32Array,
	ordinal: number,
	birth: number,
	first: boolean,
	farewell: number,
): void {
	const x = floatXOf(seed, ordinal);
	drawRandom(seed, RANDOM_STREAM.float, ordinal, chance);
	const step = FLOAT.emojiSteps[Math.floor(order[0] * FLOAT.emojiSteps.length)];
	const y = fraction(order[2] + ordinal * FLOAT.steps[1]);

	const shortest = DRIFT.life[0];
	const longest = DRIFT.life[1];
	const life = shortest + Math.floor(chance[0] * (longest - shortest + 1));
	const ticks = life + DRIFT.farewell;
	const near = (longest - life) / (longest - shortest);
	const nearness = near * (0.55 + 0.45 * chance[1]) + (1 - near) * 0.25 * chance[1];
	const bottom = first ? between(FLOAT.firstPlaces, y) : -FLOAT.edge;
	// A scene's first floats are born inside the window, so they travel half as far sideways.
	const across = (first ? 1 : 2) * (chance[2] - 0.5) * FLOAT.across;

	const r = slot * STRIDE;
	ints[r + FIELD.birth] = birth;
	ints[r + FIELD.death] = Math.min(birth + ticks, farewell);
	floats[r + FIELD.kind] = KIND.float;
	floats[r + FIELD.emoji] = (Math.floor(order[3] * EMOJI.length) + ordinal * step) % EMOJI.length;
	floats[r + FIELD.x] = x * FLOAT.breadth - (first ? 0 : across / 2);
	floats[r + FIELD.y] = bottom;
	floats[r + FIELD.velocityX] = across / ticks;
	floats[r + FIELD.velocityY] = (FLOAT.edge - bottom) / ticks;
	floats[r + FIELD.size] = between(DRIFT.size, nearness);
	floats[r + FIELD.turn] = (2 * chance[3] - 1) * FLOAT.turn;
	floats[r + FIELD.spin] = ((2 * chance[4] - 1) * FLOAT.spin) / ticks;
	floats[r + FIELD.sway] = between(FLOAT.sway, chance[5]);
	floats[r + FIELD.swayRate] = 1 / between(FLOAT.swayPeriod, chance[6]);
	floats[r + FIELD.swayPhase] = chance[7];
	floats[r + FIELD.fadeIn] = FLOAT.fadeIn;
	floats[r + FIELD.fadeOut] = DRIFT.farewell;
	if (first || (ordinal + 1) % ORBIT.each > 0) return;
	// Caught floats use these fields for their orbit (motion.ts).
	const round = Math.min(ORBIT.most, ORBIT.share * ticks);
	floats[r + FIELD.x] = between(ORBIT.start, chance[4]) * (chance[2] < 0.5 ? -1 : 1);
	floats[r + FIELD.velocityX] = ((chance[1] < 0.5 ? -1 : 1) * ORBIT.turns) / round;
	floats[r + FIELD.velocityY] = FLOAT.edge / (ticks / 2 - (0.5 - ORBIT.ease) * round);
	floats[r + FIELD.size] = between(ORBIT.size, nearness);
	floats[r + FIELD.sway] = -ORBIT.sway;
}
