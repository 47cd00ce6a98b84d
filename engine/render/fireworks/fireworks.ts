/**
 * How rockets and sparks are seen. Their records say where and when: the picture takes them past words, and lets
 * the sparks of a burst part from each other. The shader computes the same in sprites.glsl.ts.
 */
import {
	between,
	FIELD,
	FIREWORKS,
	FLIGHT,
	KIND,
	ROCKET,
	type Simulation,
	SPARK,
	STRIDE,
	smooth,
} from "../../simulation/index.ts";
import { BANDS, wideOf } from "../bands.ts";
import { type Place, SEEN, spanOf } from "../place.ts";
import type { Picture } from "../renderer.ts";
import { BURST, placeBurst, wholeOf } from "./bursts.ts";
import { seenFrom, seenUntil } from "./late.ts";
import { growthAt } from "./lights.ts";
import { heightOf, sideOf } from "./sides.ts";

/**
 * How far a rocket flies to the side, as a share of its burst's distance from the middle: it comes from behind the planet,
 * and passes beside the last burst.
 */
export const FAN = 0.42;

/** Shares of its flight between which a rocket crosses the words of a phone, where nobody sees it. */
export const HURRY = [0.65, 0.79] as const;

/** Px below and above words at which it goes and is seen again: most of the sphere is behind it there. */
export const CLEAR = { below: 84, above: 32 } as const;

/**
 * How the sparks of a burst part. As their records have it they are a ball, which is a wreath that hangs: here they
 * fill a disc, and no two have the same size, way and end.
 */
export const SPRAY = {
	/** Shares of a burst's reach that its first and its last spark fly, squared. */
	areas: [0.3 ** 2, 1],
	/** What chance leaves of that way, and what it makes of sizes: few are heavy, large, and fly less far. */
	ways: [0.8, 1],
	sizes: [0.65, 1.2],
	/** Ticks in which a spark comes half of its way, and the share of it that it goes on by in each. */
	half: 8,
	on: 0.0012,
	/** Spans that sparks fall in a tick, times its square, by another chance: once they have been thrown. */
	falls: [1e-5, 6e-5],
	thrown: 15,
	/** Spans that they drift to the sides in a tick, from the one chance to the other. */
	aside: 1e-3,
	/** Shares of both in the smallest burst and in a whole one. */
	little: [0.35, 1],
	/** Shares of its size between which a spark grows in so many ticks: it is thrown out of the flash. */
	grown: [0.1, 1],
	growth: 18,
	/** Shares of their turn and of their spin: they tumble, but nobody stands on its head. */
	turn: 0.16,
	spin: 0.05,
	/** Ticks between which it is first seen: before them there is the flash. */
	seen: [1, 6],
	/**
	 * Ticks that are taken of a spark's life, by chance, by day, when nothing bursts after a salute and sparks may fall,
	 * and at night; and those in which it fades.
	 */
	early: { byDay: [40, 80], atNight: [64, 92] },
	fade: 16,
} as const;

/**
 * A spark ends as an ember: it gets small, and is bright until so little of its fade is left. As large as before and paler,
 * a yellow star is brown on a violet sky.
 */
export const EMBER = 0.5;

const TURN = 2 * Math.PI;

/** Where the spark in a slot is in its burst, from 0 to 1 by area. */
export const placeInBurst = ({ rings }: Simulation, slot: number): number =>
	(((slot - rings[KIND.spark].first) % FIREWORKS.sparks) + 0.5) / FIREWORKS.sparks;

/** A spark's spin times this, and a half, is a chance from 0 to 1: how light it is. */
export const LIGHTNESS = 1 / (2 * SPARK.spin);

/** The burst that a rocket ends in, or a spark belongs to: see `placeBurst`. */
export function burstOf(
	simulation: Simulation,
	slot: number,
	place: Readonly<Place>,
): Readonly<Float64Array> {
	const { floats } = simulation.records;
	const r = slot * STRIDE;
	const flight = floats[r + FIELD.kind] === KIND.rocket ? FLIGHT : 0;
	const x = floats[r + FIELD.x] + floats[r + FIELD.velocityX] * flight;
	const y = heightOf(simulation, slot);
	return placeBurst(x * sideOf(simulation, slot), y, place, spanOf(place));
}

/** Writes how the rocket in a slot is seen at a time. */
export function fly(
	seen: Float64Array,
	simulation: Simulation,
	slot: number,
	time: number,
	place: Readonly<Place>,
): void {
	const { floats, ints } = simulation.records;
	const r = slot * STRIDE;
	const age = time - ints[r + FIELD.birth];
	const flight = seenUntil(simulation, slot) - ints[r + FIELD.birth];
	const burst = burstOf(simulation, slot, place);
	const fromX = burst[0] - FAN * (burst[0] - place.width / 2);
	const fromY = ((1 - floats[r + FIELD.y]) * place.height) / 2;
	const flown = flownBy(age / flight, fromY, burst[1], place);
	seen[SEEN.x] = fromX + (burst[0] - fromX) * flown;
	seen[SEEN.y] = fromY + (burst[1] - fromY) * flown;
	seen[SEEN.size] = floats[r + FIELD.size] * growthAt(spanOf(place));
	seen[SEEN.turn] = ROCKET.upright - Math.atan2(burst[0] - fromX, fromY - burst[1]) / TURN;
	// It is whole until its burst opens.
	seen[SEEN.opacity] = smooth(age / floats[r + FIELD.fadeIn]);
}

/**
 * The time at which the particle in a slot was where its light ends, so many ticks behind it. A rocket's trail is not
 * left behind words that it has passed, which would hide all of it.
 */
export function trailFrom(
	simulation: Simulation,
	slot: number,
	time: number,
	lag: number,
	{ bands, width }: Readonly<Place>,
): number {
	const birth = seenFrom(simulation, slot);
	const from = Math.max(birth, time - lag);
	if (simulation.records.floats[slot * STRIDE + FIELD.kind] !== KIND.rocket) return from;
	const past = birth + HURRY[1] * (seenUntil(simulation, slot) - birth) * wideOf(bands, width);
	return time > past ? Math.max(from, past) : from;
}

/** Writes how the spark in a slot is seen at a time. */
export function spray(
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
	const burst = burstOf(simulation, slot, place);
	const share = burst[2];
	const lightness = floats[r + FIELD.spin] * LIGHTNESS + 0.5;
	const chance = Math.abs(2 * floats[r + FIELD.turn]);
	const few = share < BURST.thin;
	const at = placeInBurst(simulation, slot) * (few ? BURST.fewer : 1);

	const age = Math.max(0, time - seenFrom(simulation, slot));
	const out = 1 - 2 ** (-age / SPRAY.half) + SPRAY.on * age;
	const radius = Math.sqrt(between(SPRAY.areas, Math.min(1, at)));
	const reach = BURST.reach * radius * between(SPRAY.ways, lightness);
	const [speedX, speedY] = [floats[r + FIELD.velocityX], floats[r + FIELD.velocityY]];
	const way = (reach * out) / Math.sqrt(speedX * speedX + speedY * speedY);
	const falling = Math.max(0, age - SPRAY.thrown);
	const fall = between(SPRAY.falls, chance) * falling * falling;
	const aside = SPRAY.aside * (lightness - 0.5) * age;
	const little = between(SPRAY.little, share);
	seen[SEEN.x] =
		burst[0] + (speedX * way * sideOf(simulation, slot) * share + aside * little) * span;
	seen[SEEN.y] = burst[1] + (fall * little - speedY * way * share) * span;
	seen[SEEN.turn] = floats[r + FIELD.turn] * SPRAY.turn + floats[r + FIELD.spin] * SPRAY.spin * age;

	const { byDay, atNight } = SPRAY.early;
	const early = between(byDay, chance) * (1 - sunken) + between(atNight, chance) * sunken;
	const left = ints[r + FIELD.death] - time - early;
	const fading = smooth(left / SPRAY.fade);
	const [hidden, whole] = SPRAY.seen;
	const opacity = smooth((age - hidden) / (whole - hidden)) * fading;
	seen[SEEN.size] =
		floats[r + FIELD.size] *
		growthAt(span) *
		between(BURST.sizes, share) *
		between(SPRAY.sizes, (1 - lightness) * (1 - lightness)) *
		between(SPRAY.grown, smooth(age / SPRAY.growth)) *
		fading;
	seen[SEEN.opacity] = at > 1 ? 0 : smooth(opacity / EMBER) * wholeOf(share);
}

/**
 * The share of its way that a rocket has come at a share of its flight: it starts slowly, and does not hang before it
 * bursts. On a phone it hurries past the words.
 * @param from where it was born, and `to` where it bursts, in px from the top
 */
function flownBy(time: number, from: number, to: number, place: Readonly<Place>): number {
	const { bands, width } = place;
	const share = time * time;
	const [start, end] = HURRY;
	const reached = (y: number) => (from - y) / (from - to);
	let words = reached(bands[BANDS.below] + CLEAR.below);
	let past = reached(bands[BANDS.words] - CLEAR.above);
	if (past >= 1) {
		// It stays below them, and comes out from behind the footer's at the first of those times.
		words = Math.min(1, reached(bands[BANDS.footer]));
		past = between([words, 1], (end - start) / (1 - start));
	}
	const part = (from: number, to: number) => Math.min(1, Math.max(0, (time - from) / (to - from)));
	const way =
		words * part(0, start) + (past - words) * part(start, end) + (1 - past) * part(end, 1);
	return share + (way - share) * wideOf(bands, width);
}
