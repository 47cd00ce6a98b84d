/**
 * Drift: emoji that rise through the sky, sway and lean as they go.
 *
 * Depth is told by size and speed together: the longer a float lives, the slower it rises, and the
 * smaller it is, mostly. So few large ones pass near by while many small ones hang far away. Each
 * crosses from below the sky to above it in exactly its life, and is seen for five sixths of it.
 */
import { FIELD, KIND, type Records, STRIDE } from "./particles.ts";
import { draw, STREAM } from "./random.ts";
import { DRIFT, EMOJI } from "./rules.ts";

/** All that has a place in the sky is between -EDGE and EDGE when it is born or gone. */
export const EDGE = 1.2;

/** Share of the width within which floats are at half of their way. */
export const BREADTH = 0.95;

/** Greatest way to one side in a life, in world units: some rise straight, some drift across. */
export const DRIFT_ACROSS = 0.45;

/** The first floats are in the sky already, in this part of it: lowest and highest place. */
export const FIRST_PLACES = [-0.85, 0.6] as const;

/** Ticks of the slowest and the fastest sway: 11 s and 5 s. */
export const SWAY_PERIOD = [660, 300] as const;

export const FADE_IN = 45;

/**
 * Steps of the plane's golden ratio (Roberts 2018, "The unreasonable effectiveness of quasirandom
 * sequences"): places so far apart that even six of them look strewn by hand, never in a heap.
 */
export const STEP_X = 0.7548776662466927;
export const STEP_Y = 0.5698402909980532;

/** Numbers without a divisor in common with 20: counting by one meets every emoji once. */
export const EMOJI_STEPS = [1, 3, 7, 9, 11, 13, 17, 19];

const order = new Float64Array(4);
const chance = new Float64Array(9);

function fraction(value: number): number {
	return value - Math.floor(value);
}

/**
 * Writes a float's record.
 * @param first it is one of those that a scene starts with, and appears in the sky, not below it
 * @param farewell the tick by which it must be gone, because its scene ends, or `NEVER`
 */
export function writeFloat(
	records: Records,
	slot: number,
	seed: Uint32Array,
	ordinal: number,
	birth: number,
	first: boolean,
	farewell: number,
): void {
	const { floats, ints } = records;
	const r = slot * STRIDE;
	// Twenty in a row are all different, and every twenty have another order and other places.
	draw(seed, STREAM.floatOrder, Math.floor(ordinal / EMOJI.length), order);
	draw(seed, STREAM.float, ordinal, chance);
	const step = EMOJI_STEPS[Math.floor(order[0] * EMOJI_STEPS.length)];
	const emoji = (Math.floor(order[1] * EMOJI.length) + ordinal * step) % EMOJI.length;
	const spreadX = fraction(order[2] + ordinal * STEP_X + (chance[0] - 0.5) * 0.1);
	const spreadY = fraction(order[3] + ordinal * STEP_Y);

	const [shortest, longest] = DRIFT.life;
	const life = shortest + Math.floor(chance[1] * (longest - shortest + 1));
	const ticks = life + DRIFT.farewell;
	const near = (longest - life) / (longest - shortest);
	const [smallest, largest] = DRIFT.size;
	const depth = near * (0.55 + 0.45 * chance[2]) + (1 - near) * 0.25 * chance[2];

	const bottom = first ? FIRST_PLACES[0] + (FIRST_PLACES[1] - FIRST_PLACES[0]) * spreadY : -EDGE;
	const across = (chance[3] - 0.5) * 2 * DRIFT_ACROSS;
	const middle = (spreadX - 0.5) * 2 * BREADTH;
	const [slowest, fastest] = SWAY_PERIOD;

	ints[r + FIELD.birth] = birth;
	ints[r + FIELD.death] = Math.min(birth + ticks, farewell);
	floats[r + FIELD.kind] = KIND.float;
	floats[r + FIELD.emoji] = emoji;
	floats[r + FIELD.x] = first ? middle : middle - across / 2;
	floats[r + FIELD.y] = bottom;
	floats[r + FIELD.velocityX] = (first ? across / 2 : across) / ticks;
	floats[r + FIELD.velocityY] = (EDGE - bottom) / ticks;
	floats[r + FIELD.size] = smallest + (largest - smallest) * depth;
	floats[r + FIELD.turn] = (chance[4] - 0.5) * 0.1;
	floats[r + FIELD.spin] = ((chance[5] - 0.5) * 0.24) / ticks;
	floats[r + FIELD.sway] = 0.015 + 0.045 * chance[6];
	floats[r + FIELD.swayRate] = 1 / (slowest + (fastest - slowest) * chance[7]);
	floats[r + FIELD.swayPhase] = chance[8];
	floats[r + FIELD.fadeIn] = FADE_IN;
	floats[r + FIELD.fadeOut] = DRIFT.farewell;
}
