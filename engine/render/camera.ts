import { mat4, type vec3 } from "gl-matrix";
import type { Picture } from "./renderer.ts";

/** The sphere's diameter by day, as in stage.css (`--diameter`). Narrow windows clip its sides. */
const DIAMETER = { narrowPx: 640, ofNarrow: 1.18, ofWidth: 0.92, ofHeight: 0.82, limitPx: 1200 };

const MIDDLE = 0.51;

/**
 * Until it sets, the sphere in a low, wide window is larger, and right of the center behind the
 * second column of words (pages.css).
 */
export const SPHERE_ASIDE = {
	leastWidth: 640,
	mostHeight: 480,
	ofHeight: 0.92,
	share: 0.26,
	mostPx: 304,
	endPx: 178,
};

/**
 * At night the sphere is larger, and its top is at the share `top` of the window's height, but at
 * least `leastPx` above the bottom, so that the bright rim stays above the footer.
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
 * In windows lower than this, as at 400% zoom, words fill the height, so the night shows no sphere.
 * Narrow windows stack the words, so their limit is higher (pages.css).
 */
const LOW = { px: 320, narrowPx: 640, pxIfNarrow: 450 };

const SWELL = 0.03;

/** The sphere's idle breathing: amplitude as a share of the radius, and breaths per loop. */
const BREATH = { depth: 0.012, times: 12 };

const LOOP_TICKS = 7200;
const PHASE = (2 * Math.PI) / LOOP_TICKS;

export interface Camera {
	/** Maps the unit sphere to clip space. */
	readonly view: mat4 & Float32Array;
	/** In clip units. */
	readonly middle: vec3;
	readonly radius: vec3;
	/** Phase of the sphere's motion, in radians. */
	phase: number;
	width: number;
	height: number;
}

export function createCamera(): Camera {
	return {
		view: new Float32Array(16) as mat4 & Float32Array,
		middle: Float32Array.of(0, 0, 0),
		radius: Float32Array.of(1, 1, 1),
		phase: 0,
		width: 1,
		height: 1,
	};
}

/** Aims without perspective, which would turn an off-axis sphere into an egg. */
export function aimCamera(camera: Camera, picture: Readonly<Picture>): void {
	camera.phase = (picture.time % LOOP_TICKS) * PHASE;
	place(camera, picture);
	mat4.fromTranslation(camera.view, camera.middle);
	mat4.scale(camera.view, camera.view, camera.radius);
}

function place(
	{ middle, radius, phase, width, height }: Camera,
	{ sunken, swell }: Readonly<Picture>,
): void {
	const breath = SWELL * swell + BREATH.depth * Math.sin(BREATH.times * phase);
	const isAside = width >= SPHERE_ASIDE.leastWidth && height <= SPHERE_ASIDE.mostHeight;
	const ofWidth = width < DIAMETER.narrowPx ? DIAMETER.ofNarrow : DIAMETER.ofWidth;
	const usual = Math.min(ofWidth * width, DIAMETER.ofHeight * height, DIAMETER.limitPx);
	const { share: most, mostPx, endPx } = SPHERE_ASIDE;
	const aside = isAside ? Math.min(most, 0.5 - endPx / width, mostPx / width) : 0;
	const day = isAside ? Math.min(SPHERE_ASIDE.ofHeight * height, (1 - 2 * aside) * width) : usual;
	const rise = MIDDLE * height;
	const low = width < LOW.narrowPx ? LOW.pxIfNarrow : LOW.px;
	const share = height > width ? SET.topIfUpright : SET.top;
	const top = height < low ? SET.sunk * height : Math.min(share * height, height - SET.leastPx);
	const planet = usual * (isAside ? SET.scaleIfLow : SET.scale);
	const fall = top + planet / 2;
	const px = ((day + (planet - day) * sunken) / 2) * (1 + breath);
	radius[0] = (2 * px) / width;
	radius[1] = (2 * px) / height;
	middle[0] = 2 * aside * (1 - sunken);
	// Page coordinates grow downward, clip coordinates upward.
	middle[1] = 1 - (2 * (rise + (fall - rise) * sunken)) / height;
}
