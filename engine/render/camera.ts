import type { mat4 } from "gl-matrix";
import type { Picture } from "./renderer.ts";

/**
 * Diameter of the sphere: shares of the viewport, and a limit in CSS px; `--diameter` in stage.css. In a narrow
 * window it is clearly wider than that, and in others it has room beside it: it never just touches both sides.
 */
const DIAMETER = { narrowPx: 640, ofNarrow: 1.18, ofWidth: 0.92, ofHeight: 0.82, limitPx: 1200 };

/** Height of its centre by day, as a share of the viewport from the top. */
const MIDDLE = 0.51;

/**
 * By day in a low and wide window, where the words stand in two columns (pages.css), it is the second one's: so
 * much larger, as there is room for it, and so far to the right of the middle, as a share of the width, and at most in CSS px and so that
 * it is as far from the window's end as that column's middle.
 */
export const ASIDE = {
	leastWidth: 640,
	mostHeight: 480,
	ofHeight: 0.92,
	share: 0.26,
	mostPx: 304,
	endPx: 178,
};

/**
 * By night it is larger, most of all in a low and wide window, and has set: only its top is in sight, at this share of the height from the
 * top (a higher one in an upright window), and no lower than this above the end of the window, so that its bright rim lies above the footer's
 * words. In a low window it has sunk out of sight, with the air around it.
 */
const SET = {
	scale: 2.1,
	scaleIfLow: 2.4,
	top: 0.846,
	topIfUpright: 0.76,
	leastPx: 122,
	sunk: 1.15,
};

/**
 * Windows that are full of words, as a desktop at 400 % is. In narrow ones, such as a small phone on its
 * side, the words are not beside but below each other, and need more height; see pages.css.
 */
const LOW = { px: 320, narrowPx: 640, pxIfNarrow: 450 };

/** By how much it is larger when it has breathed in for the visitor. */
const SWELL = 0.03;

/** By how much it is larger and smaller as it breathes, and how often it does so in a loop. */
const BREATH = { depth: 0.012, times: 12 };

/** Ticks after which the motion of the sphere repeats: 2 minutes. */
const LOOP_TICKS = 7200;
const PHASE = (2 * Math.PI) / LOOP_TICKS;

/**
 * Places in the matrix of the sphere, which takes the unit sphere to clip space. What the sphere's shader
 * needs besides is in places that a matrix of flat things leaves free: see sphere.glsl.ts.
 */
export const VIEW = {
	radiusX: 0, // clip units
	radiusY: 5,
	middleX: 12,
	middleY: 13,
	phase: 2, // radians
	swell: 3, // as in a picture, like night and lean
	night: 6,
	sunken: 9,
	leanX: 10,
	leanY: 14,
	turnX: 11, // cosine and sine of how far the silk is turned
	turnZ: 15,
	flash: 7, // light of the limb, or how far the evening has come, and the latest burst's place in radii: see flash.ts
	flashX: 8,
} as const;

/** What the vertex shaders need to know of the viewport. */
export interface Camera {
	/** Numbers at the places of `VIEW`. */
	readonly sphere: mat4 & Float32Array;
	/** Size of the viewport in CSS px. */
	width: number;
	height: number;
}

export function createCamera(): Camera {
	return {
		sphere: new Float32Array(16) as mat4 & Float32Array,
		width: 1,
		height: 1,
	};
}

/**
 * Points the camera at the sphere, which sets at night. Perspective is left out: it would make an
 * egg of a sphere beside the axis.
 */
export function aim(camera: Camera, picture: Readonly<Picture>): void {
	const { sphere } = camera;
	const { time, night, leanX, leanY, turn } = picture;
	sphere[VIEW.night] = night;
	sphere[VIEW.phase] = (time % LOOP_TICKS) * PHASE;
	place(camera, picture);
	sphere[VIEW.leanX] = leanX;
	sphere[VIEW.leanY] = leanY;
	sphere[VIEW.turnX] = Math.cos(turn);
	sphere[VIEW.turnZ] = Math.sin(turn);
}

function place({ sphere, width, height }: Camera, { sunken, swell }: Readonly<Picture>): void {
	const breath = SWELL * swell + BREATH.depth * Math.sin(BREATH.times * sphere[VIEW.phase]);
	const isAside = width >= ASIDE.leastWidth && height <= ASIDE.mostHeight;
	const ofWidth = width < DIAMETER.narrowPx ? DIAMETER.ofNarrow : DIAMETER.ofWidth;
	const usual = Math.min(ofWidth * width, DIAMETER.ofHeight * height, DIAMETER.limitPx);
	const { share: most, mostPx, endPx } = ASIDE;
	const aside = isAside ? Math.min(most, 0.5 - endPx / width, mostPx / width) : 0;
	const day = isAside ? Math.min(ASIDE.ofHeight * height, (1 - 2 * aside) * width) : usual;
	const rise = MIDDLE * height;
	const low = width < LOW.narrowPx ? LOW.pxIfNarrow : LOW.px;
	const share = height > width ? SET.topIfUpright : SET.top;
	const top = height < low ? SET.sunk * height : Math.min(share * height, height - SET.leastPx);
	const planet = usual * (isAside ? SET.scaleIfLow : SET.scale);
	const fall = top + planet / 2;
	const radius = ((day + (planet - day) * sunken) / 2) * (1 + breath);
	sphere[VIEW.radiusX] = (2 * radius) / width;
	sphere[VIEW.radiusY] = (2 * radius) / height;
	sphere[VIEW.middleX] = 2 * aside * (1 - sunken);
	// The page's px count downwards.
	sphere[VIEW.middleY] = 1 - (2 * (rise + (fall - rise) * sunken)) / height;
	sphere[VIEW.sunken] = sunken;
	sphere[VIEW.swell] = swell;
}
