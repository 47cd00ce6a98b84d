/**
 * Computes a particle's position from its record and the time. The vertex shader computes the same
 * for floats, and draws rockets and sparks more freely (render/fireworks/fireworks.ts).
 *
 * THE WORLD is a square from -1 to 1 both ways, y up, which the camera stretches over the viewport.
 * So that bursts stay round, a pose also has an offset in spans. A span is half of
 * sqrt(width * height): 287 px on a phone of 390 x 844, 569 px at 1440 x 900. Sizes are CSS px.
 *
 *     px = (center + x * width / 2 + offsetX * span,  center - y * height / 2 - offsetY * span)
 *
 * DRAG reduces the speed each tick: v <- v * d. After n ticks the distance is v * S(n) with
 *
 *     S(n) = d + d^2 + ... + d^n = (1 - d^n) * d / (1 - d)           `travel` below
 *
 * and with gravity, v <- (v + g) * d, the fall is g * (n - S(n)) * d / (1 - d).
 *
 * A table made by multiplication holds d^n, because `Math.pow` differs between browsers.
 */

import { FIELD, isCaught, KIND, type Records, STRIDE } from "./particles.ts";
import { FIREWORKS } from "./rules.ts";
import { cosine, sine } from "./trig.ts";

export interface Drag {
	readonly keep: number; // share of the speed kept per tick
	readonly log2: number; // of `keep`, as a literal: `Math.log2` differs between browsers
	/** Limit of the distance, as a multiple of the initial speed: keep / (1 - keep). */
	readonly reach: number;
}

/** Rockets slow down to an eighth of their speed before they burst. */
const ROCKET_DRAG: Drag = {
	keep: 0.978,
	log2: -0.03209362970985334,
	reach: 0.978 / (1 - 0.978),
};

/** Sparks fly out within a second and then hang. */
export const SPARK_DRAG: Drag = {
	keep: 0.955,
	log2: -0.06642736173897607,
	reach: 0.955 / (1 - 0.955),
};

/** Spans per tick squared: sparks end a third of a span lower. */
export const SPARK_GRAVITY = 0.0001;

/** Tilt of a swaying float, in turns per span of its sway. */
export const SWAY_TILT = 0.7;

const SPARK_SHRINK = 0.4;

/**
 * The sphere catches every tenth float: it rises to one of two orbits, goes half around the sphere,
 * and rises on. A pose is relative to the orbit, whose size only render/orbits.ts knows:
 *
 *     y       -edge ──╱‾‾‾ 0 ‾‾‾╱── edge          world units, from its place on the orbit
 *     round   start ────╱╱╱╱╱──── start ± turns   turns of the orbit; in front while sine(round) < 0
 */
export const ORBIT = {
	each: 10, // the sphere catches every tenth float
	turns: 0.5, // a float goes half around
	share: 0.45, // share of a caught float's life on the orbit
	most: 540, // maximum ticks on the orbit
	ease: 0.15, // share of the time on the orbit in which rising slows to a stop
	start: [0.47, 0.53], // in turns: near the orbit's lower end
	size: [50, 96], // CSS px
	nearer: 0.2, // a float is 20% larger in front, 20% smaller behind
	sway: 0.01, // spans
} as const;

/** A motion that slows to a stop at 0: min(u, 0), smoothed between -h and h. */
function stopped(u: number, h: number): number {
	const t = Math.max(0, Math.min(2 * h, u + h));
	return Math.min(u, h) - (t * t) / (4 * h);
}

function powers(drag: Drag): Float64Array {
	const table = new Float64Array(FIREWORKS.sparkLife + 1).fill(1);
	for (let n = 1; n < table.length; n++) table[n] = table[n - 1] * drag.keep;
	return table;
}

const ROCKET_POWERS = powers(ROCKET_DRAG);
const SPARK_POWERS = powers(SPARK_DRAG);

/** Distance after `age` ticks, as a multiple of the initial speed. */
function travel(drag: Drag, table: Float64Array, age: number): number {
	const tick = Math.max(0, Math.min(table.length - 1, Math.floor(age)));
	// keep^fraction, by the Taylor series of exp up to x^3. The error is below 2e-7.
	const x = (age - tick) * drag.log2 * Math.LN2;
	const between = 1 + x * (1 + (x / 2) * (1 + x / 3));
	return (1 - table[tick] * between) * drag.reach;
}

/**
 * GLSL's smoothstep(0.0, 1.0, t). Returns 0 for the NaN of never-used slots, which divide 0 by 0:
 * the bits of NaN differ between x86 and arm64.
 */
export function smoothstep(t: number): number {
	if (!(t > 0)) return 0;
	if (t >= 1) return 1;
	return t * t * (3 - 2 * t);
}

export const POSE = {
	x: 0, // world units
	y: 1,
	offsetX: 2, // spans, defined at the top
	offsetY: 3,
	size: 4, // CSS px
	turn: 5, // turns, counterclockwise
	opacity: 6, // 0 before birth and from death on
	orbit: 7, // 1 or -1 if x and y are relative to that orbit, otherwise 0
	round: 8, // position on the orbit, in turns
	length: 9,
} as const;

/** Writes `POSE.length` numbers. `time` is in ticks with a fraction, and may be past or future. */
export function writePose(
	records: Records,
	slot: number,
	time: number,
	pose: Float32Array | Float64Array,
): void {
	const { floats, ints } = records;
	const r = slot * STRIDE;
	const age = time - ints[r + FIELD.birth];
	const left = ints[r + FIELD.death] - time;
	const kind = floats[r + FIELD.kind];
	const opacity =
		smoothstep(age / floats[r + FIELD.fadeIn]) * smoothstep(left / floats[r + FIELD.fadeOut]);
	let x = floats[r + FIELD.x];
	let y = floats[r + FIELD.y];
	let offsetX = 0;
	let offsetY = 0;
	let size = floats[r + FIELD.size];
	let turn = floats[r + FIELD.turn];
	let orbit = 0;
	let round = 0;
	if (kind === KIND.float) {
		const wave = floats[r + FIELD.swayPhase] + floats[r + FIELD.swayRate] * age;
		if (isCaught(records, slot)) {
			const speed = floats[r + FIELD.velocityY];
			const turns = floats[r + FIELD.velocityX] < 0 ? -ORBIT.turns : ORBIT.turns;
			const ticks = turns / floats[r + FIELD.velocityX];
			const ease = ORBIT.ease * ticks;
			const since = age + y / speed;
			orbit = x < 0 ? -1 : 1;
			round = Math.abs(x) + turns * smoothstep((since + ease) / ticks);
			x = 0;
			y = speed * (stopped(since, ease) - stopped(ticks - 2 * ease - since, ease));
			size *= 1 - ORBIT.nearer * sine(round);
		} else {
			x += floats[r + FIELD.velocityX] * age;
			y += floats[r + FIELD.velocityY] * age;
		}
		offsetX = floats[r + FIELD.sway] * sine(wave);
		turn += floats[r + FIELD.spin] * age - SWAY_TILT * floats[r + FIELD.sway] * cosine(wave);
	} else if (kind === KIND.rocket) {
		const way = travel(ROCKET_DRAG, ROCKET_POWERS, age);
		x += floats[r + FIELD.velocityX] * way;
		y += floats[r + FIELD.velocityY] * way;
	} else if (kind === KIND.spark) {
		const way = travel(SPARK_DRAG, SPARK_POWERS, age);
		offsetX = floats[r + FIELD.velocityX] * way;
		offsetY = floats[r + FIELD.velocityY] * way - SPARK_GRAVITY * SPARK_DRAG.reach * (age - way);
		turn += floats[r + FIELD.spin] * way;
		size *= 1 - SPARK_SHRINK * (1 - opacity);
	}
	pose[POSE.x] = x;
	pose[POSE.y] = y;
	pose[POSE.offsetX] = offsetX;
	pose[POSE.offsetY] = offsetY;
	pose[POSE.size] = size;
	pose[POSE.turn] = turn;
	pose[POSE.opacity] = opacity;
	pose[POSE.orbit] = orbit;
	pose[POSE.round] = round;
}

/** Distance of a rocket's whole flight, as a multiple of its initial speed. */
export const FLIGHT_DISTANCE = travel(ROCKET_DRAG, ROCKET_POWERS, FIREWORKS.fuse);
