import { smooth } from "../simulation/index.ts";

/**
 * How sprites fade on their way to a quiet zone, alike in the shader and on the 2D canvas. No sprite has
 * a pixel in a zone, so that words need no shield from them, however many there are (promise 46).
 *
 *     CSS px from the sprite's bounding box to the rectangle
 *     zone │◄── 0 ─── fade ──►
 *     opacity  0 ────╱‾‾‾‾‾‾‾‾ 1
 */
export const QUIET = {
	rectangles: 6, // most there can be: four in the shader's `zones`, two in its `frame`
	fade: 12,
	reach: 0.66, // of its size that a float reaches from its middle: it is turned but little
	least: 0.3, // share of its size that a sprite has as it vanishes: it goes away, and leaves no ghost
	pale: [0.2, 0.5], // what is seen of it when it is gone, and when it begins to be pale
} as const;

/** How much larger than its glyph a sprite is, for the glyph's soft edge and its shadow. */
export const EDGE = 1.14;

/** Px that a sprite reaches both ways from its middle, turned by an angle: half of its bounding box. */
export const reachOf = (size: number, angle: number): number =>
	0.5 * EDGE * size * (Math.abs(Math.cos(angle)) + Math.abs(Math.sin(angle)));

/** CSS px to the nearest quiet zone from what reaches so many px both ways: the shader's `room`. */
export function roomAt(zones: ArrayLike<number>, x: number, y: number, reach: number): number {
	let room = Number.POSITIVE_INFINITY;
	for (let i = 0; i + 3 < zones.length; i += 4) {
		if (zones[i + 2] > 0) room = Math.min(room, awayFrom(zones, i, x, y, reach));
	}
	return room;
}

/** CSS px to the quiet zone that begins at a place of the list from what reaches so many px both ways: the shader's `away`. */
export function awayFrom(
	zones: ArrayLike<number>,
	at: number,
	x: number,
	y: number,
	reach: number,
): number {
	const halfWidth = zones[at + 2] / 2;
	const halfHeight = zones[at + 3] / 2;
	const awayX = Math.max(Math.abs(x - zones[at] - halfWidth) - halfWidth - reach, 0);
	const awayY = Math.max(Math.abs(y - zones[at + 1] - halfHeight) - halfHeight - reach, 0);
	return Math.sqrt(awayX * awayX + awayY * awayY);
}

/** How much a sprite hides of what is behind it, by how much is seen of it. */
export const hidingOf = (quiet: number): number =>
	smooth((quiet - QUIET.pale[0]) / (QUIET.pale[1] - QUIET.pale[0]));

/** How much is seen, from 0 to 1, of what reaches so many px both ways: the shader's `quiet`. */
export const quietAt = (zones: ArrayLike<number>, x: number, y: number, reach: number): number =>
	smooth(roomAt(zones, x, y, reach) / QUIET.fade);
