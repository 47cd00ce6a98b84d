/**
 * Leads rockets past words and spreads the sparks of bursts. The shader computes the same in
 * gl/fireworks.glsl.ts.
 */
import {
	between,
	FIELD,
	FIREWORKS,
	FLIGHT_DISTANCE,
	KIND,
	ROCKET,
	type Simulation,
	SPARK,
	STRIDE,
	smoothstep,
} from "../../simulation/index.ts";
import { WORD_BANDS } from "../bands.ts";
import { type Place, SPRITE, spanOf } from "../place.ts";
import type { Picture } from "../renderer.ts";
import { BURST_LAYOUT, burstVisibilityOf, placeBurst } from "./bursts.ts";
import { firstHiddenTick, firstVisibleTick } from "./late.ts";
import { fireworksScaleAt } from "./lights.ts";
import { burstHeightOf, rocketSideOf } from "./sides.ts";

/** Rockets start behind the planet, nearer to the center than their bursts by this share: they fan out. */
export const ROCKET_FAN = 0.42;

/** On a phone, a rocket passes the words, which hide it, between these shares of its flight time. */
export const ROCKET_RUSH = [0.65, 0.79] as const;

/** Px below words where the rush starts, and above words where it ends. */
export const RUSH_MARGIN_PX = { below: 84, above: 32 } as const;

/** Sparks fill a disc: the simulation's hollow ball of sparks would look like a wreath. */
export const SPARK_FLIGHT = {
	/** Squared flight distances of the innermost and outermost spark, as shares of the reach. */
	areas: [0.3 ** 2, 1],
	/** Random factors on distance and size: a few heavy sparks are large and fly less far. */
	ways: [0.8, 1],
	sizes: [0.65, 1.2],
	/** Half-life in ticks of a spark's remaining distance, and the share of its reach added per tick. */
	half: 8,
	on: 0.0012,
	/** Sparks fall by a random number of spans per tick squared, from age `thrown` on. */
	falls: [1e-5, 6e-5],
	thrown: 15,
	/** Sideways drift in spans per tick, times a random number from -0.5 to 0.5. */
	aside: 1e-3,
	/** Factors on `falls` and `aside` in the smallest burst and in one of full size. */
	little: [0.35, 1],
	/** Size at birth and after `growth` ticks: a spark grows out of the flash. */
	grown: [0.1, 1],
	growth: 18,
	/** Factors that reduce turn and spin, so that sparks stay nearly upright. */
	turn: 0.16,
	spin: 0.05,
	/** Ages in ticks between which a spark fades in. */
	seen: [1, 6],
	/** Random ticks cut from a spark's life. */
	early: { byDay: [40, 80], atNight: [64, 92] },
	fade: 16,
} as const;

/**
 * Sparks stay bright until this share of their fade is left: a pale yellow star looks brown on a
 * violet sky.
 */
export const EMBER_SHARE = 0.5;

const TURN = 2 * Math.PI;

export const sparkPlaceInBurst = ({ rings }: Simulation, slot: number): number =>
	(((slot - rings[KIND.spark].first) % FIREWORKS.sparks) + 0.5) / FIREWORKS.sparks;

/** Converts a spark's random spin to its lightness: spin × this + 0.5, 0 (heavy) to 1 (light). */
export const SPIN_TO_LIGHTNESS = 1 / (2 * SPARK.spin);

export function placedBurstOf(
	simulation: Simulation,
	slot: number,
	place: Readonly<Place>,
): Readonly<Float64Array> {
	const { floats } = simulation.records;
	const r = slot * STRIDE;
	const flight = floats[r + FIELD.kind] === KIND.rocket ? FLIGHT_DISTANCE : 0;
	const x = floats[r + FIELD.x] + floats[r + FIELD.velocityX] * flight;
	const y = burstHeightOf(simulation, slot);
	return placeBurst(x * rocketSideOf(simulation, slot), y, place, spanOf(place));
}

export function writeRocketSprite(
	seen: Float64Array,
	simulation: Simulation,
	slot: number,
	time: number,
	place: Readonly<Place>,
): void {
	const { floats, ints } = simulation.records;
	const r = slot * STRIDE;
	const age = time - ints[r + FIELD.birth];
	const flight = firstHiddenTick(simulation, slot) - ints[r + FIELD.birth];
	const burst = placedBurstOf(simulation, slot, place);
	const fromX = burst[0] - ROCKET_FAN * (burst[0] - place.width / 2);
	const fromY = ((1 - floats[r + FIELD.y]) * place.height) / 2;
	const flown = flownBy(age / flight, fromY, burst[1], place);
	seen[SPRITE.x] = fromX + (burst[0] - fromX) * flown;
	seen[SPRITE.y] = fromY + (burst[1] - fromY) * flown;
	seen[SPRITE.size] = floats[r + FIELD.size] * fireworksScaleAt(spanOf(place));
	seen[SPRITE.turn] = ROCKET.upright - Math.atan2(burst[0] - fromX, fromY - burst[1]) / TURN;
	seen[SPRITE.opacity] = smoothstep(age / floats[r + FIELD.fadeIn]);
}

/**
 * The tick whose position is the far end of a trail. A rocket's trail never starts behind a phone's
 * words, which would hide all of it.
 */
export function trailStartTick(
	simulation: Simulation,
	slot: number,
	time: number,
	lag: number,
	{ wordsSpan }: Readonly<Place>,
): number {
	const birth = firstVisibleTick(simulation, slot);
	const from = Math.max(birth, time - lag);
	if (simulation.records.floats[slot * STRIDE + FIELD.kind] !== KIND.rocket) return from;
	const past = birth + ROCKET_RUSH[1] * (firstHiddenTick(simulation, slot) - birth) * wordsSpan;
	return time > past ? Math.max(from, past) : from;
}

export function writeSparkSprite(
	seen: Float64Array,
	simulation: Simulation,
	slot: number,
	time: number,
	{ sunken }: Readonly<Picture>,
	place: Readonly<Place>,
): void {
	const { floats, ints } = simulation.records;
	const r = slot * STRIDE;
	const span = spanOf(place);
	const burst = placedBurstOf(simulation, slot, place);
	const share = burst[2];
	const lightness = floats[r + FIELD.spin] * SPIN_TO_LIGHTNESS + 0.5;
	const chance = Math.abs(2 * floats[r + FIELD.turn]);
	const few = share < BURST_LAYOUT.thin;
	const at = sparkPlaceInBurst(simulation, slot) * (few ? BURST_LAYOUT.fewer : 1);

	const age = Math.max(0, time - firstVisibleTick(simulation, slot));
	const out = 1 - 2 ** (-age / SPARK_FLIGHT.half) + SPARK_FLIGHT.on * age;
	const radius = Math.sqrt(between(SPARK_FLIGHT.areas, Math.min(1, at)));
	const reach = BURST_LAYOUT.reach * radius * between(SPARK_FLIGHT.ways, lightness);
	const [speedX, speedY] = [floats[r + FIELD.velocityX], floats[r + FIELD.velocityY]];
	const way = (reach * out) / Math.sqrt(speedX * speedX + speedY * speedY);
	const falling = Math.max(0, age - SPARK_FLIGHT.thrown);
	const fall = between(SPARK_FLIGHT.falls, chance) * falling * falling;
	const aside = SPARK_FLIGHT.aside * (lightness - 0.5) * age;
	const little = between(SPARK_FLIGHT.little, share);
	seen[SPRITE.x] =
		burst[0] + (speedX * way * rocketSideOf(simulation, slot) * share + aside * little) * span;
	seen[SPRITE.y] = burst[1] + (fall * little - speedY * way * share) * span;
	seen[SPRITE.turn] =
		floats[r + FIELD.turn] * SPARK_FLIGHT.turn + floats[r + FIELD.spin] * SPARK_FLIGHT.spin * age;

	const { byDay, atNight } = SPARK_FLIGHT.early;
	const early = between(byDay, chance) * (1 - sunken) + between(atNight, chance) * sunken;
	const left = ints[r + FIELD.death] - time - early;
	const fading = smoothstep(left / SPARK_FLIGHT.fade);
	const [hidden, whole] = SPARK_FLIGHT.seen;
	const opacity = smoothstep((age - hidden) / (whole - hidden)) * fading;
	seen[SPRITE.size] =
		floats[r + FIELD.size] *
		fireworksScaleAt(span) *
		between(BURST_LAYOUT.sizes, share) *
		between(SPARK_FLIGHT.sizes, (1 - lightness) * (1 - lightness)) *
		between(SPARK_FLIGHT.grown, smoothstep(age / SPARK_FLIGHT.growth)) *
		fading;
	seen[SPRITE.opacity] = at > 1 ? 0 : smoothstep(opacity / EMBER_SHARE) * burstVisibilityOf(share);
}

/**
 * A rocket's progress from 0 to 1: slow at first, fast past a phone's words.
 * @param from launch height in px from the top; `to` is the burst's
 */
function flownBy(time: number, from: number, to: number, place: Readonly<Place>): number {
	const { bands } = place;
	const share = time * time;
	const [start, end] = ROCKET_RUSH;
	const reached = (y: number) => (from - y) / (from - to);
	let words = reached(bands[WORD_BANDS.below] + RUSH_MARGIN_PX.below);
	let past = reached(bands[WORD_BANDS.words] - RUSH_MARGIN_PX.above);
	if (past >= 1) {
		// The burst is below the words, so the rocket has only the footer to pass.
		words = Math.min(1, reached(bands[WORD_BANDS.footer]));
		past = between([words, 1], (end - start) / (1 - start));
	}
	const part = (from: number, to: number) => Math.min(1, Math.max(0, (time - from) / (to - from)));
	const way =
		words * part(0, start) + (past - words) * part(start, end) + (1 - past) * part(end, 1);
	return share + (way - share) * place.wordsSpan;
}
