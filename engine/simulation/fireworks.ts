/**
 * Rockets and their bursts. A burst's 25 sparks fly in directions that are spread evenly over a
 * ball, which is rotated at random and seen from the front.
 */
import { FLIGHT_DISTANCE, POSE, SPARK_DRAG, writePose } from "./motion.ts";
import { createRecords, FIELD, KIND, type Records, STRIDE } from "./particles.ts";
import { between, drawRandom, RANDOM_STREAM } from "./random.ts";
import { BURST_EMOJI, EMOJI, FIREWORKS } from "./rules.ts";
import { cosine, sine, squareRoot } from "./trig.ts";

/** World units, ticks, turns and CSS px. */
export const ROCKET = {
	emoji: EMOJI.indexOf("🚀"),
	ground: -1.15, // y of the launch, below the window
	high: [0.5, 0.74], // y of bursts above the words in the middle
	low: [-0.45, -0.15], // y of bursts beside the words, or below a phone's words
	lowShare: 0.3, // share of low bursts
	targetX: [0.36, 0.82], // a burst's distance from the center
	fan: 0.85, // a launch's x as a share of its burst's: rockets fan out
	spread: 0.1, // random deviation of a launch's x
	step: 0.6180339887498949, // 1 / golden ratio: successive bursts are far apart
	size: [34, 42],
	upright: 0.125, // an eighth of a turn: the emoji points up and right
	lean: 0.25, // turns per world unit of sideways flight
	fadeIn: 8,
	fadeOut: 1,
} as const;

/** Spans, ticks, turns and CSS px. */
export const SPARK = {
	rim: [0.36, 0.52], // a burst's radius
	scatter: [0.12, 0.42], // maximum share by which a spark is slower; random per burst
	angle: 0.3819660112501051, // golden angle: its multiples never repeat a direction
	palette: 3, // maximum number of different emoji in a burst
	size: 27,
	sizeByDepth: 5, // added at the ball's front, subtracted at its back
	sizeByChance: 4, // maximum random deviation
	spin: 0.03,
	fadeIn: 3,
	fadeOut: 80,
} as const;

/** x, y and size of 25 sparks, before a burst rotates them. */
const BALL = new Float64Array(FIREWORKS.sparks * 3);
for (let spark = 0; spark < FIREWORKS.sparks; spark++) {
	// Equal steps in depth cut a sphere into equal areas (Archimedes).
	const depth = 1 - (2 * spark + 1) / FIREWORKS.sparks;
	const radius = squareRoot(1 - depth * depth);
	BALL[spark * 3] = radius * cosine(spark * SPARK.angle);
	BALL[spark * 3 + 1] = radius * sine(spark * SPARK.angle);
	BALL[spark * 3 + 2] = SPARK.size + SPARK.sizeByDepth * depth;
}

const order = new Float64Array(1);
const chance = new Float64Array(5);
const turned = new Float64Array(4 + SPARK.palette);
const rocket = createRecords(1);
const end = new Float64Array(POSE.length);

export function writeRocket(
	{ floats, ints }: Records,
	slot: number,
	seed: Uint32Array,
	ordinal: number,
	birth: number,
): void {
	drawRandom(seed, RANDOM_STREAM.rocketOrder, 0, order);
	drawRandom(seed, RANDOM_STREAM.rocket, ordinal, chance);
	const place = order[0] + ordinal * ROCKET.step + (chance[0] - 0.5) * 0.2;
	const across = (place - Math.floor(place) - 0.5) * 2;
	const low = chance[1] < ROCKET.lowShare;
	const far = between(ROCKET.targetX, low ? 0.6 + 0.4 * Math.abs(across) : Math.abs(across));
	const targetX = across < 0 ? -far : far;
	const targetY = between(low ? ROCKET.low : ROCKET.high, chance[4]);
	const launchX = targetX * ROCKET.fan + (2 * chance[2] - 1) * ROCKET.spread;

	const r = slot * STRIDE;
	floats.fill(0, r, r + STRIDE);
	ints[r + FIELD.birth] = birth;
	ints[r + FIELD.death] = birth + FIREWORKS.fuse;
	floats[r + FIELD.kind] = KIND.rocket;
	floats[r + FIELD.emoji] = ROCKET.emoji;
	floats[r + FIELD.x] = launchX;
	floats[r + FIELD.y] = ROCKET.ground;
	floats[r + FIELD.velocityX] = (targetX - launchX) / FLIGHT_DISTANCE;
	floats[r + FIELD.velocityY] = (targetY - ROCKET.ground) / FLIGHT_DISTANCE;
	floats[r + FIELD.size] = between(ROCKET.size, chance[3]);
	floats[r + FIELD.turn] = ROCKET.upright - ROCKET.lean * (targetX - launchX);
	floats[r + FIELD.fadeIn] = ROCKET.fadeIn;
	floats[r + FIELD.fadeOut] = ROCKET.fadeOut;
}

/** Computes the rocket's flight again, because after a seek its slot may have another rocket. */
export function writeBurst(
	{ floats, ints }: Records,
	slot: number,
	seed: Uint32Array,
	ordinal: number,
	birth: number,
): void {
	writeRocket(rocket, 0, seed, ordinal, birth - FIREWORKS.fuse);
	writePose(rocket, 0, birth, end);
	drawRandom(seed, RANDOM_STREAM.burst, ordinal, turned);
	const rim = between(SPARK.rim, turned[0]);
	const scatter = between(SPARK.scatter, turned[1]);
	const emojis = 1 + Math.floor(turned[2] * SPARK.palette);
	const cos = cosine(turned[3]);
	const sin = sine(turned[3]);

	floats.fill(0, slot * STRIDE, (slot + FIREWORKS.sparks) * STRIDE);
	for (let spark = 0; spark < FIREWORKS.sparks; spark++) {
		drawRandom(seed, RANDOM_STREAM.spark, ordinal * FIREWORKS.sparks + spark, chance);
		const x = BALL[spark * 3];
		const y = BALL[spark * 3 + 1];
		const speed = (rim * (1 - scatter * chance[0])) / SPARK_DRAG.reach;

		const r = (slot + spark) * STRIDE;
		ints[r + FIELD.birth] = birth;
		ints[r + FIELD.death] = birth + FIREWORKS.sparkLife;
		floats[r + FIELD.kind] = KIND.spark;
		floats[r + FIELD.emoji] =
			BURST_EMOJI[Math.floor(turned[4 + (spark % emojis)] * BURST_EMOJI.length)];
		floats[r + FIELD.x] = end[POSE.x];
		floats[r + FIELD.y] = end[POSE.y];
		floats[r + FIELD.velocityX] = speed * (x * cos - y * sin);
		floats[r + FIELD.velocityY] = speed * (y * cos + x * sin);
		floats[r + FIELD.size] = BALL[spark * 3 + 2] + SPARK.sizeByChance * (2 * chance[1] - 1);
		floats[r + FIELD.turn] = chance[2] - 0.5;
		floats[r + FIELD.spin] = (2 * chance[3] - 1) * SPARK.spin;
		floats[r + FIELD.fadeIn] = SPARK.fadeIn;
		floats[r + FIELD.fadeOut] = SPARK.fadeOut;
	}
}
