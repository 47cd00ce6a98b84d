import { DRIFT } from "../simulation/index.ts";

/**
 * What makes near sprites and far ones, alike in the shader and on the 2D canvas. It changes what is
 * seen and nothing that happens: a float's size says how near it is, and fireworks are far away.
 */
export const DEPTH = {
	/** CSS px that a sprite moves against the pointer, from the middle of the window to its edge. */
	parallax: { far: 3, near: 24 },
	/** Opacity of the farthest floats: the air between makes them pale. */
	pale: 0.72,
	/** Floats that are less near than this pass behind the sphere, as fireworks do. */
	behind: 0.25,
	/** Where the sphere hides what is behind it: from the first to the second share of its radius. */
	rim: [0.97, 1],
} as const;

const [least, most] = DRIFT.size;

/** How near a float of a size in CSS px is, from 0 to 1. */
export const nearnessOf = (size: number): number => (size - least) / (most - least);
