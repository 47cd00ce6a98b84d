/** Gradient stops, as shares of the height from the top. Style sheet and shader both use them. */
export const SKY_STOPS = {
	morning: [0, 0.38, 0.66, 1],
	between: [0, 0.55, 1],
	night: [0, 0.52, 0.86, 1],
} as const;

/** The morning's radial gradients, top layer first, in shares of width and height. */
export const DAWN_LIGHTS = [
	{ middle: [0.5, 0.5], radii: [0.6, 0.46], alpha: 0.75 },
	{ middle: [0.08, 0.96], radii: [0.44, 0.4], alpha: 0.8 },
	{ middle: [0.96, 0.04], radii: [0.52, 0.44], alpha: 0.85 },
] as const;

/** Dusk's gradient: opacity `inner` at its middle, `outer` at `outerAt` of the radii, 0 at the radii. */
export const DUSK_LIGHT = {
	middle: [0.5, 1],
	radii: [0.64, 0.52],
	inner: 0.62,
	outer: 0.34,
	outerAt: 0.45,
} as const;

/** The grid needs a row of vertices at each gradient stop. */
const BENDS = [...new Set([...SKY_STOPS.morning, ...SKY_STOPS.night])].sort((a, b) => a - b);

/**
 * Columns and maximum rows, at a low and at a high pixel ratio. Compared with 56 by 80 cells,
 * channels differ by at most 6 of 255 (coarse) and 3 (fine).
 */
export const SKY_GRID_SIZES = { coarse: [8, 14], fine: [14, 20] } as const;

/** z that distinguishes the sky's vertices from the sphere's. */
export const SKY_DEPTH = 2;

/**
 * Creates a mesh that is shaded at its vertices, because shading each pixel would be slower.
 * @returns x, y (clip units) and `SKY_DEPTH` per vertex; counterclockwise triangles
 */
export function createSkyGrid([columns, most]: readonly [number, number]): {
	positions: number[];
	triangles: number[];
} {
	const rows = BENDS.slice(1).flatMap((bend, i) => {
		const from = BENDS[i]!;
		const cells = Math.max(1, Math.floor((bend - from) * most));
		return Array.from(
			{ length: cells },
			(_, cell) => bend - ((bend - from) * cell) / cells,
		).reverse();
	});
	const positions: number[] = [];
	const triangles: number[] = [];
	const heights = [...rows.reverse(), 0];
	for (const height of heights) {
		for (let column = 0; column <= columns; column++) {
			positions.push((column / columns) * 2 - 1, 1 - 2 * height, SKY_DEPTH);
		}
	}
	for (let row = 0; row < rows.length; row++) {
		for (let column = 0; column < columns; column++) {
			const corner = row * (columns + 1) + column;
			const above = corner + columns + 1;
			triangles.push(corner, corner + 1, above, above, corner + 1, above + 1);
		}
	}
	return { positions, triangles };
}

/** A glow's strength at shares of its radius: flat at both ends, so that no edge shows. */
export const GLOW_STOPS = [0, 0.25, 0.5, 0.75, 1].map(
	(away) => [away, (1 - away * away) ** 2] as const,
);
