/**
 * Fireworks: rockets that rise and slow down, and the bursts that they end in.
 *
 * A burst is a ball of sparks seen from the front: 25 directions spread evenly over a sphere, turned
 * by chance, each with a little of its own speed. Flattened onto the sky, a ball is dense at its rim
 * and full inside, as the real ones are.
 */

import { FLIGHT, POSE, SPARK_DRAG, writePose } from "./motion.ts";
import { createRecords, FIELD, KIND, type Records, STRIDE } from "./particles.ts";
import { draw, STREAM } from "./random.ts";
import { EMOJI, FIREWORKS } from "./rules.ts";
import { cosine, root, sine } from "./trig.ts";

/** Where rockets start: below the sky. */
export const GROUND = -1.15;

/** Lowest and highest target, and how far to the sides targets lie, in world units. */
export const TARGET_Y = [0.1, 0.64] as const;
export const TARGET_X = 0.8;

/** Launch places are this much nearer to the middle than targets: rockets fan out. */
export const FAN = 0.6;

export const ROCKET = EMOJI.indexOf("🚀");

/** The rocket is painted heading up and right: an eighth of a turn makes it head up. */
export const ROCKET_UPRIGHT = 0.125;

/** Turns of lean for each unit to the side that its flight makes. */
export const ROCKET_LEAN = 0.15;

/** Spans from the middle of a burst to its rim: least and greatest. */
export const RIM = [0.36, 0.52] as const;

/** Turns from one spark to the next: the golden angle, which never comes back to where it was. */
export const GOLDEN_ANGLE = 0.3819660112501051;

/** Different emoji in one burst, at most. */
export const PALETTE = 3;

/** 1 / golden ratio: consecutive targets are far from each other, and so are the next ones. */
export const STEP = 0.6180339887498949;

const order = new Float64Array(1);
const chance = new Float64Array(6);
const ball = new Float64Array(4 + PALETTE);
const rocket = createRecords(1);
const end = new Float64Array(POSE.length);

/** Writes a rocket's record. */
export function writeRocket(
	records: Records,
	slot: number,
	seed: Uint32Array,
	ordinal: number,
	birth: number,
): void {
	const { floats, ints } = records;
	const r = slot * STRIDE;
	draw(seed, STREAM.rocketOrder, 0, order);
	draw(seed, STREAM.rocket, ordinal, chance);
	const spread = order[0] + ordinal * STEP + (chance[0] - 0.5) * 0.2;
	const targetX = (spread - Math.floor(spread) - 0.5) * 2 * TARGET_X;
	const targetY = TARGET_Y[0] + (TARGET_Y[1] - TARGET_Y[0]) * chance[1];
	const launchX = targetX * FAN + (chance[2] - 0.5) * 0.3;

	ints[r + FIELD.birth] = birth;
	ints[r + FIELD.death] = birth + FIREWORKS.fuse;
	floats[r + FIELD.kind] = KIND.rocket;
	floats[r + FIELD.emoji] = ROCKET;
	floats[r + FIELD.x] = launchX;
	floats[r + FIELD.y] = GROUND;
	floats[r + FIELD.velocityX] = (targetX - launchX) / FLIGHT;
	floats[r + FIELD.velocityY] = (targetY - GROUND) / FLIGHT;
	floats[r + FIELD.size] = 34 + 8 * chance[3];
	floats[r + FIELD.turn] = ROCKET_UPRIGHT - ROCKET_LEAN * (targetX - launchX);
	floats[r + FIELD.spin] = 0;
	floats[r + FIELD.sway] = 0;
	floats[r + FIELD.swayRate] = 0;
	floats[r + FIELD.swayPhase] = 0;
	floats[r + FIELD.fadeIn] = 8;
	floats[r + FIELD.fadeOut] = 1;
}

/**
 * Writes the records of a burst's 25 sparks, from `firstSlot` on.
 *
 * The rocket is worked out anew from its ordinal and not read from its slot, so that a burst can be
 * written without its rocket ever having flown, as seeking does.
 * @param birth the tick of the burst
 */
export function writeBurst(
	records: Records,
	firstSlot: number,
	seed: Uint32Array,
	ordinal: number,
	birth: number,
): void {
	const { floats, ints } = records;
	writeRocket(rocket, 0, seed, ordinal, birth - FIREWORKS.fuse);
	writePose(rocket, 0, birth, end);
	draw(seed, STREAM.burst, ordinal, ball);
	const rim = RIM[0] + (RIM[1] - RIM[0]) * ball[0];
	// One burst is all of one kind, the next is mixed.
	const kinds = 1 + Math.floor(ball[1] * PALETTE);
	// How much of its own speed a spark has: from a clean ring to a full cloud.
	const scatter = 0.12 + 0.3 * ball[2];

	for (let spark = 0; spark < FIREWORKS.sparks; spark++) {
		const r = (firstSlot + spark) * STRIDE;
		draw(seed, STREAM.spark, ordinal * FIREWORKS.sparks + spark, chance);
		// Equal steps in depth are equal areas of a sphere (Archimedes).
		const depth = 1 - (2 * spark + 1) / FIREWORKS.sparks;
		const angle = ball[3] + spark * GOLDEN_ANGLE + (chance[0] - 0.5) * 0.04;
		const speed = (rim * root(1 - depth * depth) * (1 - scatter * chance[1])) / SPARK_DRAG.reach;
		const emoji = ball[4 + (spark % kinds)];

		ints[r + FIELD.birth] = birth;
		ints[r + FIELD.death] = birth + FIREWORKS.sparkLife;
		floats[r + FIELD.kind] = KIND.spark;
		floats[r + FIELD.emoji] = Math.floor(emoji * EMOJI.length);
		floats[r + FIELD.x] = end[POSE.x];
		floats[r + FIELD.y] = end[POSE.y];
		floats[r + FIELD.velocityX] = speed * cosine(angle);
		floats[r + FIELD.velocityY] = speed * sine(angle);
		// The front of the ball is nearer.
		floats[r + FIELD.size] = 27 + 5 * depth + 8 * (chance[2] - 0.5);
		floats[r + FIELD.turn] = chance[3] - 0.5;
		floats[r + FIELD.spin] = (chance[4] - 0.5) * 0.06;
		floats[r + FIELD.sway] = 0;
		floats[r + FIELD.swayRate] = 0;
		floats[r + FIELD.swayPhase] = 0;
		floats[r + FIELD.fadeIn] = 3;
		floats[r + FIELD.fadeOut] = 80;
	}
}
