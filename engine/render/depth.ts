/**
 * The simulation is flat. In the picture, larger floats are nearer and fireworks are far away. The
 * shader and the 2D canvas compute the same. By day the sphere is frosted glass to floats behind it; at
 * night it is a planet that hides them.
 *
 *     visitor ─── in front: casts a shadow ─── sphere ─── behind: frosted or hidden
 *     nearness      1           0.58            0.25          0
 *     size        120 px        80 px          48 px         24 px
 *     parallax     24 px        15 px           8 px          3 px     opposite to the pointer
 *     blur        0.7            0             0.4           1.3       mip levels
 */
import { DRIFT, KIND_NAMES, type KindName } from "../simulation/index.ts";

export const DEPTH = {
	/** CSS px that a sprite shifts in the opposite direction if the pointer is at the window's edge. */
	parallax: { far: 3, near: 24 },
	/** Floats dodge the pointer: within `reach` CSS px, by at most `px`. */
	dodge: { reach: 170, px: 64 },
	/** Floats below this nearness pass behind the sphere. */
	behind: 0.25,
	/** Factors on the size of a hidden and of a fully visible float. */
	small: [0.4, 1],
	/** Fading floats stay opaque down to this visibility, because pale stars look brown at night. */
	faint: 0.4,
	/** Floats fade between these distances to the window's edges, in float sizes. */
	ends: [0.25, 0.55],
	/** Sprites behind the sphere fade before its rim cuts them, between these distances in radii. */
	gone: [0.08, 0.11],
	/** Opacity of what is behind the sphere by day. At night the planet hides it. */
	frosted: 0.8,
	/** Mip levels of blur: `lens` × (nearness − `sharp`)² for floats, `frosted` more behind the sphere. */
	soft: { frosted: 1.4, lens: 4, sharp: 0.58 },
	/** The sphere frosts pixels within the first of these radii, and none from the second. */
	rim: [0.97, 1],
	/** Shadows on the sphere; offsets in float sizes, `soft` in mip levels. They end at radii `ends`. */
	shadow: { dark: 0.24, aside: 0.04, below: 0.085, soft: 2.5, ends: [0.8, 1] },
} as const;

const [least, most] = DRIFT.size;

/** Kinds at many depths. All others are far away, behind the sphere. */
const IN_DEPTH: Readonly<Record<KindName, boolean>> = { float: true, rocket: false, spark: false };

export const hasDepth = (kind: number): boolean => IN_DEPTH[KIND_NAMES[kind]];

/** From 0 (far) to 1 (near), by size in CSS px. */
export const nearnessOf = (size: number): number => (size - least) / (most - least);
