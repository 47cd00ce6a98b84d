import type { Bands } from "./bands.ts";

/** What a picture's sprites are fitted to, in CSS px. */
export interface Place {
	width: number;
	height: number;
	/** x, y, width, height of each quiet zone. */
	zones: ArrayLike<number>;
	bands: Bands;
	/** How far floats have to go for a salute, from 0 to 1: one number, see salute.ts. */
	saluted: Float32Array;
	/** Middle and radius of the sphere. */
	sphereX: number;
	sphereY: number;
	radius: number;
	/** Radius of the planet, which is no wider than a point by day. */
	planetRadius: number;
}

/** Places of what is seen. */
export const SEEN = {
	x: 0, // CSS px from the top left
	y: 1,
	size: 2,
	turn: 3, // turns, counter-clockwise
	opacity: 4,
	near: 5, // from 0 to 1
	length: 6,
} as const;

/** Half of sqrt(width * height), in px. */
export const spanOf = ({ width, height }: Readonly<Place>): number => Math.sqrt(width * height) / 2;
