import { mat4, type vec3 } from "gl-matrix";
import type { Picture } from "./renderer.ts";

/**
 * Diameter of the sphere: shares of the viewport, and a limit in CSS px; `--diameter` in stage.css.
 */
const DIAMETER = { ofWidth: 1.1, ofHeight: 0.78, limitPx: 1200 };

/** Height of its centre by day, as a share of the viewport from the top. */
const MIDDLE = 0.51;

/**
 * By night it is larger and has set: only its top is in sight, at this share of the height from the
 * top, and no lower than this above the end of the window, so that its bright rim lies above the footer's
 * words.
 */
const SET = { scale: 1.7, top: 0.846, leastPx: 122 };

/** By how much it is larger when it has breathed in for the visitor. */
const SWELL = 0.03;

/** Ticks after which the motion of the sphere repeats: 2 minutes. */
const LOOP_TICKS = 7200;
const PHASE = (2 * Math.PI) / LOOP_TICKS;

/** What the vertex shaders need to know of the viewport. */
export interface Camera {
	/**
	 * From the unit sphere to clip space. Phase, night and lean are in its third row, and the swell in its
	 * last: see sphere.glsl.ts.
	 */
	readonly sphere: mat4;
	/** Size of the viewport in CSS px. */
	width: number;
	height: number;
	/** Width, height, night and swell that the matrix is of. */
	readonly aimed: Float64Array;
}

export function createCamera(): Camera {
	return { sphere: mat4.create(), width: 1, height: 1, aimed: new Float64Array(4) };
}

const middle: vec3 = [0, 0, 0];
const radius: vec3 = [1, 1, 1];

/**
 * Points the camera at the sphere, which has set at night. Perspective is left out: it would make an
 * egg of a sphere beside the axis.
 */
export function aim(camera: Camera, picture: Readonly<Picture>): void {
	const { sphere, width, height, aimed } = camera;
	const { time, night, leanX, leanY, swell } = picture;
	if (aimed[0] !== width || aimed[1] !== height || aimed[2] !== night || aimed[3] !== swell)
		place(camera, night, swell);
	sphere[2] = (time % LOOP_TICKS) * PHASE;
	sphere[10] = leanX;
	sphere[14] = leanY;
}

function place({ sphere, width, height, aimed }: Camera, night: number, swell: number): void {
	const day = Math.min(DIAMETER.ofWidth * width, DIAMETER.ofHeight * height, DIAMETER.limitPx);
	const rise = MIDDLE * height;
	const fall = Math.min(SET.top * height, height - SET.leastPx) + (day * SET.scale) / 2;
	radius[0] = (day / 2) * (1 + (SET.scale - 1) * night) * (1 + SWELL * swell);
	// The page's px count downwards.
	radius[1] = -radius[0];
	middle[0] = width / 2;
	middle[1] = rise + (fall - rise) * night;
	mat4.ortho(sphere, 0, width, height, 0, -1, 1);
	mat4.translate(sphere, sphere, middle);
	mat4.scale(sphere, sphere, radius);
	sphere[6] = night;
	sphere[3] = swell;
	aimed[0] = width;
	aimed[1] = height;
	aimed[2] = night;
	aimed[3] = swell;
}
