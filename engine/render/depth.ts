import { DRIFT, KIND, KIND_NAMES, type KindName } from "../simulation/index.ts";

/**
 * What makes near sprites and far ones, alike in the shader and on the 2D canvas. It changes what is
 * seen and nothing that happens: a float's size says how near it is, and fireworks are far away.
 */
export const DEPTH = {
	/** CSS px that a sprite moves against the pointer, from the middle of the window to its edge. */
	parallax: { far: 3, near: 24 },
	/** CSS px from a hand within which floats give way to it, and by how many the nearest do. */
	way: { reach: 170, px: 64 },
	/** Floats that are less near than this pass behind the sphere, as fireworks do. */
	behind: 0.25,
	/** Shares of its size as one goes, and of that way from which on it is pale: a pale star is brown on the night. */
	small: [0.4, 1],
	faint: 0.4,
	/** Sizes from the upper end of the window between which a float is gone and whole: it is not cut there. */
	top: [0.45, 0.75],
	/** They are gone as the rim passes before them, at these radii of the sphere from it: none is cut in two. */
	gone: [0.08, 0.11],
	/** What is left of it there by day: the sphere is frosted. The planet hides all. */
	frosted: 0.28,
	/** Mip levels by which that is softer, and the farthest and the nearest floats than those between. */
	soft: { frosted: 1, lens: 7, sharp: 0.58 },
	/** Where the sphere hides what is behind it: from the first to the second share of its radius. */
	rim: [0.97, 1],
	/**
	 * What is near throws a shadow on the sphere: how dark it is at most, where it lies beside the float (shares of
	 * its size, to the right and down, away from the light), by how many mip levels it is softer, and between which
	 * shares of the sphere's radius it ends.
	 */
	shadow: { dark: 0.24, aside: 0.04, below: 0.085, soft: 2.5, ends: [0.8, 1] },
} as const;

const [least, most] = DRIFT.size;

/**
 * Which kinds are as near as their size says. The others are fireworks: far away, with lights, and
 * larger on larger screens.
 */
const IN_DEPTH: Readonly<Record<KindName, boolean>> = { float: true, rocket: false, spark: false };

/** Whether the particles of a kind are as near as their size says. */
export const isInDepth = (kind: number): boolean => IN_DEPTH[KIND_NAMES[kind]];

/** The same in GLSL, of an expression for the kind. */
export const inDepth = (kind: string): string =>
	KIND_NAMES.filter((name) => IN_DEPTH[name])
		.map((name) => `abs(${kind} - ${KIND[name]}.0) < 0.5`)
		.join(" || ");

/** How near a float of a size in CSS px is, from 0 to 1. */
export const nearnessOf = (size: number): number => (size - least) / (most - least);
