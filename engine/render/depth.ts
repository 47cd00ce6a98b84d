/**
 * The simulation is flat. In the picture, larger floats are nearer and fireworks are far away. The
 * shader and the 2D canvas compute the same.
 *
 *     visitor ─── in front: casts a shadow ─── sphere ─── behind: frosted, hidden by the planet
 *     nearness      1           0.58            0.25          0
 *     size        120 px        80 px          48 px         24 px
 *     parallax     24 px        15 px           8 px          3 px     opposite to the pointer
 *     blur        1.2            0             0.8           2.4       mip levels
 */
import { DRIFT, KIND, KIND_NAMES, type KindName } from "../simulation/index.ts";

export const DEPTH = {
	/** CSS px that a sprite shifts in the opposite direction if the pointer is at the window's edge. */
	parallax: { far: 3, near: 24 },
	/** Floats dodge the pointer: within `reach` CSS px, by at most `px`. */
	dodge: { reach: 170, px: 64 },
	/** Nearness below which floats pass behind the sphere. */
	behind: 0.25,
	/** Factors on the size of a hidden and of a fully visible float. */
	small: [0.4, 1],
	/** Opacity fades only below this visibility, because pale stars look brown at night. */
	faint: 0.4,
	/**
	 * Distances to the window's top, and to a phone's bottom, at which a float is hidden and fully
	 * visible, in float sizes.
	 */
	ends: [0.45, 0.75],
	/** Distances to the sphere's rim, in radii, at which a float is hidden and fully visible. */
	gone: [0.08, 0.11],
	/** Opacity of floats behind the sphere by day. At night the planet hides them. */
	frosted: 0.28,
	/** Blur in mip levels: floats get `lens` × (nearness − `sharp`)², sprites behind the sphere `frosted` on top. */
	soft: { frosted: 1, lens: 7, sharp: 0.58 },
	/** Sprites behind the sphere are hidden within the first of these radii, visible from the second. */
	rim: [0.97, 1],
	/**
	 * A float's shadow on the sphere. Offsets are shares of the float's size, `soft` is in mip
	 * levels; the shadow fades out between the radii `ends`.
	 */
	shadow: { dark: 0.24, aside: 0.04, below: 0.085, soft: 2.5, ends: [0.8, 1] },
} as const;

const [least, most] = DRIFT.size;

/** Kinds that are placed like floats, which takes a float's slot. All others are far away. */
const IN_DEPTH: Readonly<Record<KindName, boolean>> = { float: true, rocket: false, spark: false };

export const hasDepth = (kind: number): boolean => IN_DEPTH[KIND_NAMES[kind]];

export const glslHasDepth = (kind: string): string =>
	KIND_NAMES.filter((name) => IN_DEPTH[name])
		.map((name) => `abs(${kind} - ${KIND[name]}.0) < 0.5`)
		.join(" || ");

/** From 0 (far) to 1 (near), by size in CSS px. */
export const nearnessOf = (size: number): number => (size - least) / (most - least);
