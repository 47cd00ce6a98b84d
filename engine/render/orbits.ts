import { FIELD, FLOAT, POSE, type Records, STRIDE, writePose } from "../simulation/index.ts";
import { DEPTH, isInDepth, nearnessOf } from "./depth.ts";

/**
 * The orbit of the sphere: the way of what it catches on its left and on its right (simulation/motion.ts), alike in the
 * shader and on the 2D canvas.
 */
export const ELLIPSE = {
	/** Half of its axes, in radii of the sphere. */
	across: 1.22,
	high: 0.34,
	/**
	 * Angles in radians by which its right end is higher. In an upright window, where words leave room above and below,
	 * what is caught on the left has the same way seen in a mirror.
	 */
	lean: { wide: 0.22, upright: 1.26 },
} as const;

/** The hairline that shows the orbit where words leave more than its ends, and where WebGL draws a pixel and more for each CSS px. */
export const HAIRLINE = {
	steps: 128, // pieces: none is a quarter of a px beside the ellipse
	px: 2.6, // from its middle to where it has faded
	broader: 0.55, // share by which it is broader in front, and finer behind
	opacity: [0.6, 1.2], // of the line, and of the head of a light that runs along it
	head: 0.08, // turns in which that light comes
	tail: 10, // how often it falls to half in a turn
	ticks: 900, // in which it goes round: an epoch of quads.ts has whole turns
	quiet: 0.5, // share of it behind words
	fades: [0.6, 0.95], // shares of its way to the ends between which it fades in front of the sphere
	beside: 0.06, // from the middle of a light's cell, as a share of it
	/** How much of that cell's red, green and blue: violet, darker than the sky by day, and brighter at night. */
	byDay: [0.45, 0.35, 1.4],
	atNight: [0.95, 1.7, 2],
	fromRatio: 1, // device pixels for each CSS px
	kind: -1, // no particle's
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
	const { wide, upright } = ELLIPSE.lean;
	const lean = height > width ? upright : pose[POSE.orbit] * wide;
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
