/**
 * A unit sphere of nearly equal triangles: an icosahedron whose faces are cut into four, again and
 * again. After `cuts` it has 10 * 4^cuts + 2 vertices: 642 after three, 2,562 after four.
 *
 * The vertices of a coarse sphere are the first ones of every finer one, so one list serves both.
 */
export interface Icosphere {
	/** Three numbers a vertex. */
	readonly positions: Float32Array;
	/** Three vertices a triangle, counter-clockwise from outside; one list for 0, 1, 2 … cuts. */
	readonly triangles: readonly Uint16Array[];
}

type Triangle = [number, number, number];

export function icosphere(cuts: number): Icosphere {
	const { points, faces } = icosahedron();
	const levels = [faces];
	for (let cut = 0; cut < cuts; cut++) levels.push(cutFaces(points, levels[cut]));
	return {
		positions: new Float32Array(points.flat()),
		triangles: levels.map((level) => new Uint16Array(level.flat())),
	};
}

/** The corners are three golden rectangles; any three of them with equal distances are a face. */
function icosahedron(): { points: Triangle[]; faces: Triangle[] } {
	const points: Triangle[] = [];
	const golden = (1 + Math.sqrt(5)) / 2;
	for (const one of [-1, 1])
		for (const far of [-golden, golden])
			points.push(unit([0, one, far]), unit([one, far, 0]), unit([far, 0, one]));
	const faces: Triangle[] = [];
	const adjacent = (a: number, b: number) => distance(points[a], points[b]) < 1.1;
	for (let a = 0; a < 12; a++)
		for (let b = a + 1; b < 12; b++)
			for (let c = b + 1; c < 12; c++)
				if (adjacent(a, b) && adjacent(b, c) && adjacent(c, a))
					faces.push(turnsLeft(points[a], points[b], points[c]) ? [a, b, c] : [a, c, b]);
	return { points, faces };
}

/** Cuts each face at the middles of its edges, which are added to the points. */
function cutFaces(points: Triangle[], faces: readonly Triangle[]): Triangle[] {
	const middles = new Map<number, number>();
	const middle = (a: number, b: number) => {
		const edge = Math.min(a, b) * 65536 + Math.max(a, b);
		const known = middles.get(edge);
		if (known !== undefined) return known;
		const [p, q] = [points[a], points[b]];
		const made = points.push(unit([p[0] + q[0], p[1] + q[1], p[2] + q[2]])) - 1;
		middles.set(edge, made);
		return made;
	};
	return faces.flatMap(([a, b, c]): Triangle[] => {
		const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
		return [
			[a, ab, ca],
			[b, bc, ab],
			[c, ca, bc],
			[ab, bc, ca],
		];
	});
}

function unit([x, y, z]: Triangle): Triangle {
	const length = Math.hypot(x, y, z);
	return [x / length, y / length, z / length];
}

function distance(p: Triangle, q: Triangle): number {
	return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

/** Whether three points of a sphere go round counter-clockwise for one who looks from outside. */
function turnsLeft(p: Triangle, q: Triangle, r: Triangle): boolean {
	return (
		p[0] * (q[1] * r[2] - q[2] * r[1]) +
			p[1] * (q[2] * r[0] - q[0] * r[2]) +
			p[2] * (q[0] * r[1] - q[1] * r[0]) >
		0
	);
}
