import { FLOAT_SPACING } from "../apart.ts";
import { WORD_BANDS } from "../bands.ts";
import type { Camera } from "../camera.ts";
import type { Place } from "../place.ts";
import { QUIET } from "../quiet.ts";
import type { Picture } from "../renderer.ts";
import * as FRAME from "./frame-fields.ts";
import type { Quads } from "./quads.ts";
import * as SPHERE from "./sphere-fields.ts";

/* A block is one uniform with all numbers of a draw call: more uniforms would cost more GL calls. */

export function writeSphereUniforms(
	block: Float32Array,
	camera: Camera,
	picture: Readonly<Picture>,
): void {
	block.set(camera.view);
	block[SPHERE.phase] = camera.phase;
	block[SPHERE.swell] = picture.swell;
	block[SPHERE.night] = picture.night;
	block[SPHERE.sunken] = picture.sunken;
	block[SPHERE.parallaxX] = picture.parallaxX;
	block[SPHERE.parallaxY] = -picture.parallaxY;
	block[SPHERE.turnX] = Math.cos(picture.turn);
	block[SPHERE.turnY] = Math.sin(picture.turn);
}

export function writeSpriteUniforms(
	frame: Float32Array,
	camera: Camera,
	picture: Readonly<Picture>,
	{ saluted, aside, bands }: Readonly<Place>,
	{ epoch }: Quads,
): void {
	frame[FRAME.clipX] = 2 / camera.width;
	frame[FRAME.clipY] = 2 / camera.height;
	frame[FRAME.sphereX] = camera.middle[0];
	frame[FRAME.sphereY] = camera.middle[1];
	frame[FRAME.parallaxX] = picture.parallaxX;
	frame[FRAME.parallaxY] = -picture.parallaxY;
	frame[FRAME.pointerX] = picture.pointerX;
	frame[FRAME.pointerY] = -picture.pointerY;
	frame[FRAME.push] = picture.pointer;
	frame[FRAME.time] = picture.time - epoch;
	frame[FRAME.night] = picture.night;
	frame[FRAME.sunken] = picture.sunken;
	frame[FRAME.clarity] = picture.clarity;
	frame[FRAME.radius] = camera.radius[1];
	frame[FRAME.salute] = saluted[0];
	frame[FRAME.secondShare] =
		(picture.time - FLOAT_SPACING.from) / FLOAT_SPACING.every - aside.second;
	frame[FRAME.words] = bands[WORD_BANDS.words];
	frame[FRAME.below] = bands[WORD_BANDS.below];
	frame[FRAME.footer] = bands[WORD_BANDS.footer];
	frame[FRAME.halfWidth] = bands[WORD_BANDS.halfWidth];
}

/** An unused zone, far outside the picture. */
const FAR_AWAY = [99, 99, 0, 0];

/** Quiet zones in clip units: center, then half size. */
export function quietZonesInClip(
	rectangles: ArrayLike<number>,
	{ width, height }: Readonly<Camera>,
): Float32Array<ArrayBuffer> {
	return Float32Array.from(
		Array.from({ length: QUIET.rectangles }, (_, zone) => {
			const [x = 0, y = 0, across = 0, high = 0] = Array.from(rectangles).slice(4 * zone);
			if (across === 0) return FAR_AWAY;
			const middle = [(2 * x + across) / width - 1, 1 - (2 * y + high) / height];
			return [...middle, across / width, high / height];
		}).flat(),
	);
}
