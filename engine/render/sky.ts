/**
 * Cells of the grid both ways. The sky's gradients are wide: with twice as many no channel of a pixel
 * differs by more than 5 of 255, while these triangles were a fifth of a small picture's time.
 */
const COLUMNS = 8;
const ROWS = 12;

/** The third number of the sky's positions, which none of the sphere's has: see sphere.glsl.ts. */
const BEYOND = 2;

/**
 * The sky as a mesh over the whole picture. Its colours are worked out at its corners, as the
 * sphere's are, so that a pixel of sky costs next to nothing, and both are one draw call.
 * @returns positions, three numbers a vertex: clip units and `BEYOND`; triangles counter-clockwise
 */
export function createSkyGrid(): { positions: number[]; triangles: number[] } {
	const positions: number[] = [];
	const triangles: number[] = [];
	for (let row = 0; row <= ROWS; row++)
		for (let column = 0; column <= COLUMNS; column++)
			positions.push((column / COLUMNS) * 2 - 1, (row / ROWS) * 2 - 1, BEYOND);
	for (let row = 0; row < ROWS; row++)
		for (let column = 0; column < COLUMNS; column++) {
			const corner = row * (COLUMNS + 1) + column;
			const above = corner + COLUMNS + 1;
			triangles.push(corner, corner + 1, above, above, corner + 1, above + 1);
		}
	return { positions, triangles };
}
