/**
 * Quiet zones are rectangles around words. Sprites fade and shrink near them, so no sprite pixel is
 * inside. The shader and the 2D canvas compute the same.
 *
 *     ┌─────────┐            ┌──────────┐
 *     │  words  │◄── room ──►│  sprite  │    to its bounding box, in CSS px
 *     └─────────┘            └──────────┘
 *     room       0     5.2   6     12
 *     size       0.3   0.58  0.65  1
 *     opacity    0     0     1     1
 */
import { smoothstep } from "../simulation/index.ts";

export const QUIET = {
	rectangles: 6, // maximum
	fade: 12,
	reach: 0.66, // a float's extent in sizes: it is turned only slightly
	least: 0.3, // share of its size that a hidden sprite has
	pale: [0.4, 0.5], // visibility at which a sprite is gone, and starts to fade
} as const;

/** Sprite size relative to the glyph, with room for the soft edge and shadow. */
export const SPRITE_EDGE = 1.14;

/** Half the edge in px of the box around a turned glyph. */
export const halfBoxEdge = (size: number, angle: number): number =>
	0.5 * SPRITE_EDGE * size * (Math.abs(Math.cos(angle)) + Math.abs(Math.sin(angle)));

/** CSS px from the nearest zone to a box of half size `reach`: the shader's `room`. */
export function distanceToZones(
	zones: ArrayLike<number>,
	x: number,
	y: number,
	reach: number,
): number {
	let room = Number.POSITIVE_INFINITY;
	for (let i = 0; i + 3 < zones.length; i += 4) {
		if (zones[i + 2] > 0) room = Math.min(room, distanceToZone(zones, i, x, y, reach));
	}
	return room;
}

/** Distance to the zone at an index: the shader's `away`. */
export function distanceToZone(
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

export const opacityOf = (quiet: number): number =>
	smoothstep((quiet - QUIET.pale[0]) / (QUIET.pale[1] - QUIET.pale[0]));

/** Visibility from 0 to 1 of a box of half size `reach`: the shader's `quiet`. */
export const visibilityAt = (
	zones: ArrayLike<number>,
	x: number,
	y: number,
	reach: number,
): number => smoothstep(distanceToZones(zones, x, y, reach) / QUIET.fade);
