/**
 * The sphere catches every tenth float, chosen in simulation/floats.ts: it rises to an orbit, goes
 * half around, and rises on. The shader and the 2D canvas compute the same.
 *
 *            ╭────────────╮
 *         ╭ ─│─ ─ ─ ─ ─ ─ │─ ╮      far half: smaller, behind the sphere
 *         │  │      ·     │  │ 0.34 radii high
 *         ╰──│────────────│──╯      near half: larger, in front
 *            ╰────────────╯
 *             1.22 radii across
 *
 * A second orbit is mirrored. In an upright window both are nearly vertical.
 */
import {
	FIELD,
	FLOAT,
	isCaught,
	POSE,
	type Records,
	STRIDE,
	writePose,
} from "../simulation/index.ts";
import { DEPTH, hasDepth, nearnessOf } from "./depth.ts";

export const ORBIT_ELLIPSE = {
	/** Semi-axes in radii of the sphere. */
	across: 1.22,
	high: 0.34,
	/** Tilt in radians; positive raises the right end. */
	lean: { wide: 0.22, upright: 1.26 },
} as const;

/** The thin line along the orbit. */
export const ORBIT_LINE = {
	steps: 128, // segments: each within a quarter px of the ellipse
	px: 2.6, // half its width, with the soft edge
	broader: 0.55, // share by which the line is broader in front
	opacity: [0.6, 1.2], // of the line, and where a light runs along it
	head: 0.08, // turns over which the light fades in
	tail: 10, // the light halves ten times per turn
	ticks: 900, // the light's ticks per turn; divides `EPOCH_TICKS` (quads.ts)
	quiet: 0.5, // factor on the opacity behind words
	fades: [0.6, 0.95], // in front, the line shows only near its ends
	beside: 0.06, // samples the glow off its white center, in glyph sizes
	/** Factors on the glow's red, green and blue; by day at the orbit's left and right end. */
	left: [1.1, 0.35, 0.75],
	right: [0.1, 0.6, 1.5],
	atNight: [0.95, 1.7, 2],
	fromRatio: 1, // minimum device pixels per CSS px
	kind: -1, // differs from all particle kinds
} as const;

const TURN = 2 * Math.PI;

const pose = new Float64Array(POSE.length);

interface Around {
	readonly width: number;
	readonly height: number;
	readonly sphereX: number;
	readonly sphereY: number;
	readonly radius: number;
}

/** Writes x and y of a float on its orbit, in px, like `span`. */
export function writeOrbitPosition(
	at: Float64Array,
	pose: Float64Array,
	{ width, height, sphereX, sphereY, radius }: Around,
	span: number,
): void {
	const { wide, upright } = ORBIT_ELLIPSE.lean;
	const lean = height > width ? upright : pose[POSE.orbit] * wide;
	const across = ORBIT_ELLIPSE.across * Math.cos(TURN * pose[POSE.round]);
	const high = ORBIT_ELLIPSE.high * Math.sin(TURN * pose[POSE.round]);
	const right = pose[POSE.orbit] * (across * Math.cos(lean) - high * Math.sin(lean));
	const up = across * Math.sin(lean) + high * Math.cos(lean);
	at[0] = sphereX + right * radius + pose[POSE.offsetX] * span;
	// In clip units. The farther a float is above or below its orbit, the less the orbit's y counts.
	const orbit = 1 - (2 * (sphereY - up * radius)) / height;
	const y = orbit * (1 - Math.abs(pose[POSE.y]) / FLOAT.edge) + pose[POSE.y];
	at[1] = ((1 - y) * height) / 2;
}

export function isBehindSphere(records: Records, slot: number, time: number): boolean {
	const { floats } = records;
	const r = slot * STRIDE;
	if (!hasDepth(floats[r + FIELD.kind])) return true;
	if (!isCaught(records, slot)) return nearnessOf(floats[r + FIELD.size]) < DEPTH.behind;
	writePose(records, slot, time, pose);
	return Math.sin(TURN * pose[POSE.round]) > 0;
}
