import { describe, expect, test } from "vitest";
import { hemisphere } from "../../../engine/render/hemisphere.ts";

describe.each([
	[12, 685, 72],
	[18, 1351, 108],
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

	test("has vertices on the unit sphere and in front", () => {
		expect(positions).toHaveLength(3 * vertices);
		for (let vertex = 0; vertex < vertices; vertex++) {
			expect(Math.hypot(...point(vertex))).toBeCloseTo(1);
			expect(point(vertex)[2]).toBeGreaterThan(0);
		}
	});

	test("covers its polygon once, facing the viewer", () => {
		const areas = Array.from({ length: triangles.length / 3 }, (_, i) => covers(i));
		expect(Math.min(...areas)).toBeGreaterThan(0);
		const polygon = corners * Math.sin((2 * Math.PI) / corners) * (1 - 0.02 ** 2);
		expect(areas.reduce((sum, area) => sum + area)).toBeCloseTo(polygon);
	});
});
