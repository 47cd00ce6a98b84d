import { FIELD, FLOAT, POSE, type Records, STRIDE, writePose } from "../simulation/index.ts";
import { DEPTH, isInDepth, nearnessOf } from "./depth.ts";

/**
 * The two orbits of the sphere, to its left and to its right: the ways of what it catches (simulation/motion.ts), alike
 * in the shader and on the 2D canvas.
 */
export const ELLIPSE = {
	/** Half of its axes, in radii of the sphere. */
	across: 1.22,
	high: 0.34,
	/**
	 * Angles in radians by which one end is higher: in an upright window words leave room above and below. In a wide one
	 * that of the left one is another than that of the right one.
	 */
	lean: { left: 0.36, right: 0.18, upright: 1.26 },
} as const;

/** The hairlines that show the orbits where words leave more than their ends, and where WebGL draws a pixel and more for each CSS px. */
export const HAIRLINE = {
	steps: 64, // pieces of an orbit
	closer: 0.6, // share by which they are shorter at its ends
	px: 2.2, // from its middle to where it has faded
	broader: 0.4, // share by which it is broader in front, and finer behind
	opacity: 0.7,
	quiet: 0.18, // of it, behind words
	fades: [0.6, 1], // between which radii from the middle of the sphere it fades in front of it
	beside: 0.12, // share of a cell from its middle, where a light is white
	byDay: [0.66, 0.4, 0.86], // how much of its red, green and blue: darker than the sky, and violet
	fromRatio: 1, // device pixels for each CSS px
	kind: -1, // no particle's
} as const;

/** On each hairline a light goes round, and fades behind itself. A whole number of laps fits in an epoch of quads.ts. */
export const LIGHT = {
	lap: 1200, // ticks
	bright: 2.4, // how much brighter than the hairline, as a share of its brightness
	halves: 9, // how often that halves in a lap behind it
	lingers: 0.7, // share by which it is slower at the ends of the orbit, where it is beside the sphere, and faster between
	from: [0.1, 0.12], // where on the left one and on the right one it starts, in turns
} as const;

const TURN = 2 * Math.PI;

const pose = new Float64Array(POSE.length);

/** What an orbit is placed by, in CSS px: the window, the sphere's middle and radius. */
interface Around {
	readonly width: number;
	readonly height: number;
	readonly sphereX: number;
	readonly sphereY: number;
	readonly radius: number;
}

/**
 * Writes x and y of a caught float, in px, into the first two places: on its way to an orbit, on it, or beyond.
 * @param span px
 */
export function writeRidden(
	at: Float64Array,
	pose: Float64Array,
	{ width, height, sphereX, sphereY, radius }: Around,
	span: number,
): void {
	const { left, right: low, upright } = ELLIPSE.lean;
	const lean = height > width ? upright : pose[POSE.orbit] < 0 ? left : low;
	const across = ELLIPSE.across * Math.cos(TURN * pose[POSE.round]);
	const high = ELLIPSE.high * Math.sin(TURN * pose[POSE.round]);
	const right = pose[POSE.orbit] * (across * Math.cos(lean) - high * Math.sin(lean));
	const up = across * Math.sin(lean) + high * Math.cos(lean);
	at[0] = sphereX + right * radius + pose[POSE.offsetX] * span;
	// Far from the orbit it is where others are born and die, in clip units.
	const orbit = 1 - (2 * (sphereY - up * radius)) / height;
	const y = orbit * (1 - Math.abs(pose[POSE.y]) / FLOAT.edge) + pose[POSE.y];
	at[1] = ((1 - y) * height) / 2;
}

/** Whether a particle is farther away than the sphere at a time. What is caught is so beyond its orbit's ends. */
export function isBehind(records: Records, slot: number, time: number): boolean {
	const { floats } = records;
	const r = slot * STRIDE;
	if (!isInDepth(floats[r + FIELD.kind])) return true;
	if (!(floats[r + FIELD.sway] < 0)) return nearnessOf(floats[r + FIELD.size]) < DEPTH.behind;
	writePose(records, slot, time, pose);
	return Math.sin(TURN * pose[POSE.round]) > 0;
}
