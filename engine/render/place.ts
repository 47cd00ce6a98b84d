import { BANDS, type Bands } from "./bands.ts";
import { type Camera, VIEW } from "./camera.ts";

/** How far floats go aside for each other: see apart.ts. */
export interface Aside {
	/** For each slot of the floats px to the right at each of three moments, and px upwards. */
	readonly px: Float32Array;
	/** The second that the moments are of. */
	second: number;
}

/** What a picture's sprites are fitted to, in CSS px. */
export interface Place {
	width: number;
	height: number;
	/** x, y, width, height of each quiet zone. */
	zones: ArrayLike<number>;
	bands: Bands;
	aside: Readonly<Aside>;
	/** How far floats have to go for a salute, from 0 to 1: one number, see salute.ts. */
	saluted: Float32Array;
	/** Middle and radius of the sphere. */
	sphereX: number;
	sphereY: number;
	radius: number;
	/** Radius of the planet, which is no wider than a point by day. */
	planetRadius: number;
}

/** A place for pictures of any window, for floats that go aside. */
export const createPlace = (aside: Readonly<Aside>): Place => ({
	width: 1,
	height: 1,
	zones: [],
	bands: new Float32Array(BANDS.length),
	saluted: new Float32Array(1),
	aside,
	sphereX: 0,
	sphereY: 0,
	radius: 0,
	planetRadius: 0,
});

/** Brings a place up to what a camera was aimed at. */
export function look(place: Place, { sphere, width, height }: Readonly<Camera>): void {
	place.width = width;
	place.height = height;
	place.sphereX = ((sphere[VIEW.middleX] + 1) * width) / 2;
	place.sphereY = ((1 - sphere[VIEW.middleY]) * height) / 2;
	place.radius = (sphere[VIEW.radiusX] * width) / 2;
	place.planetRadius = sphere[VIEW.night] * place.radius;
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
