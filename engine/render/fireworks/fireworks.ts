/**
 * How rockets and sparks are seen. Their records say where and when: the picture takes them past words, and lets
 * the sparks of a burst part from each other. The shader computes the same in sprites.glsl.ts.
 */
import {
	FIELD,
	FIREWORKS,
	FLIGHT,
	KIND,
	type Simulation,
	SPARK,
	SPARK_SHRINK,
	STRIDE,
	smooth,
} from "../../simulation/index.ts";
import { BANDS, wideOf } from "../bands.ts";
import { type Place, SEEN, spanOf } from "../place.ts";
import type { Picture } from "../renderer.ts";
import { BURST, placeBurst } from "./bursts.ts";
import { growthAt } from "./lights.ts";

/** Share of its way to the side that a rocket has come before it starts: it flies beside the words, not through. */
export const UPRIGHT = 0.7;

/** Shares of its flight between which a rocket crosses the words of a phone, where nobody sees it. */
export const HURRY = [0.47, 0.68] as const;

/** Px from words at which it is seen again. */
export const CLEAR = 36;

/**
 * How the sparks of a burst part. As their records have it they are a ball, which is a wreath that hangs: here they
 * fill a disc, and no two have the same size, way and end.
 */
export const SPRAY = {
	/** The nearest spark's share of the farthest one's way, and the share of its own that chance takes. */
	near: 0.16,
	chance: 0.25,
	/** Ticks in which a spark comes half of its way. */
	half: 7,
	/** Spans a tick in which sparks fall in the end, and what chance makes of it. */
	fall: 0.0017,
	falls: [0.6, 1.6],
	/** What chance makes of sizes: small ones fly farther. */
	sizes: [1.2, 0.6],
	/** The share of its size that a spark grows from in so many ticks: it is thrown out of the flash. */
	from: 0.3,
	grow: 18,
	/** How fast sparks turn, as a share of their spin. */
	spin: 0.2,
	/** Ticks that chance takes of a spark's life, and in which it fades. */
	early: 70,
	fade: 50,
} as const;

/**
 * At night a spark ends as an ember, by the share of its fade: it becomes so small, and is bright until so little
 * is left. As large as before and paler, a yellow star is brown on a violet sky.
 */
export const EMBER = { least: 0.4, gone: 0.4 } as const;

/** Where the spark in a slot is in its burst, from 0 to 1 by area. */
export const placeInBurst = ({ rings }: Simulation, slot: number): number =>
	(((slot - rings[KIND.spark].first) % FIREWORKS.sparks) + 0.5) / FIREWORKS.sparks;

/** A spark's spin times this, and a half, is a chance from 0 to 1: the one of its mass. */
export const MASS = 1 / (2 * SPARK.spin);

/** Writes how the rocket or spark in a slot is seen at a time, where its pose is already. */
export function writeFirework(
	seen: Float64Array,
	simulation: Simulation,
	slot: number,
	time: number,
	{ night }: Readonly<Picture>,
	place: Readonly<Place>,
): void {
	const { floats, ints } = simulation.records;
	const r = slot * STRIDE;
	const isRocket = floats[r + FIELD.kind] === KIND.rocket;
	const flight = isRocket ? FLIGHT : 0;
	const endX = floats[r + FIELD.x] + floats[r + FIELD.velocityX] * flight;
	const endY = floats[r + FIELD.y] + floats[r + FIELD.velocityY] * flight;
	const span = spanOf(place);
	const [x, y] = [((endX + 1) * place.width) / 2, ((1 - endY) * place.height) / 2];
	const burst = placeBurst(x, y, place, span);
	const age = time - ints[r + FIELD.birth];
	if (isRocket) {
		const bornX = ((floats[r + FIELD.x] + 1) * place.width) / 2;
		const fromX = bornX + (burst[0] - bornX) * UPRIGHT;
		const fromY = ((1 - floats[r + FIELD.y]) * place.height) / 2;
		const flown = flownBy(age / FIREWORKS.fuse, fromY, burst[1], place);
		seen[SEEN.x] = fromX + (burst[0] - fromX) * flown;
		seen[SEEN.y] = fromY + (burst[1] - fromY) * flown;
		seen[SEEN.size] *= growthAt(span);
		return;
	}
	const share = burst[2];
	const light = floats[r + FIELD.spin] * MASS + 0.5;
	const chance = Math.abs(2 * floats[r + FIELD.turn]);
	const few = share < BURST.thin * wideOf(place.bands, place.width);
	const at = placeInBurst(simulation, slot) * (few ? BURST.fewer : 1);

	const out = 1 - 2 ** (-age / SPRAY.half);
	const radius = Math.sqrt(mix(SPRAY.near ** 2, 1, Math.min(1, at)));
	const reach = BURST.reach * radius * mix(1 - SPRAY.chance, 1, light);
	const [speedX, speedY] = [floats[r + FIELD.velocityX], floats[r + FIELD.velocityY]];
	const way = (reach * share * out) / Math.sqrt(speedX * speedX + speedY * speedY);
	const fallen = age - (out * SPRAY.half) / Math.LN2;
	const fall = SPRAY.fall * mix(...SPRAY.falls, chance) * share * fallen;
	seen[SEEN.x] = burst[0] + speedX * way * span;
	seen[SEEN.y] = burst[1] + (fall - speedY * way) * span;
	seen[SEEN.turn] = floats[r + FIELD.turn] + floats[r + FIELD.spin] * SPRAY.spin * age;

	const left = ints[r + FIELD.death] - time - SPRAY.early * chance;
	const fading = smooth(left / SPRAY.fade);
	const opacity = smooth(age / floats[r + FIELD.fadeIn]) * fading;
	seen[SEEN.size] =
		floats[r + FIELD.size] *
		growthAt(span) *
		mix(...SPRAY.sizes, light) *
		mix(BURST.least, 1, share) *
		mix(SPRAY.from, 1, smooth(age / SPRAY.grow)) *
		mix(1 - SPARK_SHRINK, 1, opacity) *
		mix(1, EMBER.least, night * (1 - fading));
	const whole = smooth((share - BURST.gone[0]) / (BURST.gone[1] - BURST.gone[0]));
	const bright = mix(opacity, smooth(opacity / EMBER.gone), night);
	seen[SEEN.opacity] = at > 1 ? 0 : bright * whole;
}

const mix = (from: number, to: number, share: number) => from + (to - from) * share;

/**
 * The share of its way that a rocket has come at a share of its flight: it starts slowly, and does not hang before it
 * bursts. On a phone it hurries past the words.
 * @param from where it was born, and `to` where it bursts, in px from the top
 */
function flownBy(time: number, from: number, to: number, place: Readonly<Place>): number {
	const { bands, width } = place;
	const share = time * Math.sqrt(time);
	const [start, end] = HURRY;
	const reached = (y: number) => (from - y) / (from - to);
	let words = reached(bands[BANDS.below] + CLEAR);
	let past = reached(bands[BANDS.words] - CLEAR);
	if (past >= 1) {
		// It stays below them, and comes out from behind the footer.
		past = Math.min(1, reached(bands[BANDS.footer] - CLEAR));
		words = (past * start) / end;
	}
	const part = (from: number, to: number) => Math.min(1, Math.max(0, (time - from) / (to - from)));
	const way =
		words * part(0, start) + (past - words) * part(start, end) + (1 - past) * part(end, 1);
	return mix(share, way, wideOf(bands, width));
}
