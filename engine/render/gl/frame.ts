/**
 * Indices of the numbers that sprites need each frame. They are sent as one matrix, although only
 * the shader sees one: sprites.glsl.ts.
 */
export const FRAME = {
	clipX: 0, // clip units per CSS px
	clipY: 1,
	time: 2, // ticks since the epoch: see quads.ts
	night: 3, // as in a picture, like sunken and clarity
	leanX: 4, // as in a picture, but y upward
	leanY: 5,
	sphereX: 6, // its center and radius, in clip units
	sphereY: 7,
	radius: 8,
	sunken: 9,
	pointerX: 10, // the point floats avoid, in clip units
	pointerY: 11,
	push: 12, // its strength
	clarity: 13,
	salute: 14, // how far floats must yield: see salute.ts
	aside: 15, // share of the current second: see apart.ts
	length: 16,
} as const;
