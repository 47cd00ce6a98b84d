import { describe, expect, test } from "vitest";
import { hemisphere } from "../../../engine/render/hemisphere.ts";

/** Rings of air. */
const AIR = 4;

describe.each([
	[12, 685 + 288, 72],
	[18, 1351 + 432, 108],
])("a mesh of %d rings", (rings, vertices, corners) => {
	const { positions, triangles } = hemisphere(rings);
	const point = (vertex: number) =>
		positions.slice(vertex * 3, vertex * 3 + 3) as [number, number, number];

	/** Twice the area that a triangle covers for the viewer: below 0 when it shows its back. */
	function covers(triangle: number): number {
		const [a, b, c] = triangles.slice(triangle * 3, triangle * 3 + 3);
		const [[ax, ay], [bx, by], [cx, cy]] = [point(a!), point(b!), point(c!)];
		return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
	}

	test("has vertices on the unit sphere and in front, and four rings of air around it", () => {
		expect(positions).toHaveLength(3 * vertices);
		const solid = vertices - AIR * corners;
		for (let vertex = 0; vertex < vertices; vertex++) {
			const [x, y, z] = point(vertex);
			expect(Math.hypot(x, y, vertex < solid ? z : 0)).toBeCloseTo(1);
			expect(Math.sign(z)).toBe(vertex < solid ? 1 : -1);
		}
	});

	test("covers its polygon once, facing the viewer", () => {
		// Of the air only where the shader moves it to: it has no width here.
		const solid = triangles.length / 3 - AIR * corners * 2;
		const areas = Array.from({ length: solid }, (_, i) => covers(i));
		expect(Math.min(...areas)).toBeGreaterThan(0);
		const polygon = corners * Math.sin((2 * Math.PI) / corners) * (1 - 0.02 ** 2);
		expect(areas.reduce((sum, area) => sum + area)).toBeCloseTo(polygon);
	});
});
