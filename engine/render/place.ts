import { WORD_BANDS, type WordBands, wordsSpanShare } from "./bands.ts";
import type { Camera } from "./camera.ts";
import type { Picture } from "./renderer.ts";

export interface FloatOffsets {
	/** Per float slot: px to the right at three control points (apart.ts), then px up. */
	readonly px: Float32Array;
	second: number;
}

/** Window, words and sphere, in CSS px: what sprites must fit. */
export interface Place {
	width: number;
	height: number;
	/** x, y, width, height per quiet zone. */
	zones: ArrayLike<number>;
	bands: WordBands;
	/** `wordsSpanShare` of the bands. Stored, because V8 would box a returned number. */
	wordsSpan: number;
	aside: Readonly<FloatOffsets>;
	/** One number: how far a salute hides floats (salute.ts). */
	saluted: Float32Array;
	sphereX: number;
	sphereY: number;
	radius: number;
	planetRadius: number;
}

export const createPlace = (aside: Readonly<FloatOffsets>): Place => ({
	width: 1,
	height: 1,
	zones: [],
	bands: new Float32Array(WORD_BANDS.length),
	wordsSpan: 0,
	saluted: new Float32Array(1),
	aside,
	sphereX: 0,
	sphereY: 0,
	radius: 0,
	planetRadius: 0,
});

export function setPlace(
	place: Place,
	{ middle, radius, width, height }: Readonly<Camera>,
	{ night }: Readonly<Picture>,
): void {
	place.width = width;
	place.wordsSpan = wordsSpanShare(place.bands, width);
	place.height = height;
	place.sphereX = ((middle[0] + 1) * width) / 2;
	place.sphereY = ((1 - middle[1]) * height) / 2;
	place.radius = (radius[0] * width) / 2;
	place.planetRadius = night * place.radius;
}

export const SPRITE = {
	x: 0, // CSS px from the top left
	y: 1,
	size: 2,
	turn: 3, // turns, counterclockwise
	opacity: 4,
	near: 5, // nearness, from 0 to 1
	length: 6,
} as const;

/** Half of sqrt(width * height), in px. */
export const spanOf = ({ width, height }: Readonly<Place>): number => Math.sqrt(width * height) / 2;
