/**
 * Quiet zones are rectangles around words. Sprites shrink and fade before they reach one. The shader
 * and the 2D canvas compute the same.
 *
 *     ┌─────────┐            ┌──────────┐
 *     │  words  │◄── room ──►│  sprite  │    CSS px to the sprite's bounding box
 *     └─────────┘            └──────────┘
 *     room       0     5.2   6     12
 *     size       0.3   0.58  0.65  1
 *     opacity    0     0     1     1
 */
import { smoothstep } from "../simulation/index.ts";

export const QUIET = {
	rectangles: 6, // maximum number of zones
	fade: 12,
	reach: 0.66, // half the box of a slightly turned float, in float sizes
	least: 0.3, // factor on the size of a hidden sprite
	pale: [0.4, 0.5], // visibilities at which a sprite has opacity 0 and 1
} as const;

/** A sprite's size relative to its glyph: leaves room for the soft edge. */
export const SPRITE_EDGE = 1.14;

/** Half the edge of the bounding box around a turned glyph, in px. */
export const halfBoxEdge = (size: number, angle: number): number =>
	0.5 * SPRITE_EDGE * size * (Math.abs(Math.cos(angle)) + Math.abs(Math.sin(angle)));

/** CSS px from the nearest zone to a box of half size `reach`. The shader's `room` is the same. */
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

/** Distance to the zone at index `at`. The shader's `away` is the same. */
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

export const opacityNearWords = (quiet: number): number =>
	smoothstep((quiet - QUIET.pale[0]) / (QUIET.pale[1] - QUIET.pale[0]));

/** Visibility, 0 to 1, of a box of half size `reach`. The shader's `quiet` is the same. */
export const visibilityNearWords = (
	zones: ArrayLike<number>,
	x: number,
	y: number,
	reach: number,
): number => smoothstep(distanceToZones(zones, x, y, reach) / QUIET.fade);
