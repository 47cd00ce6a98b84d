import { expect, test } from "vitest";
import { hemisphere } from "../../../engine/render/hemisphere.ts";

const { positions, triangles } = hemisphere();
const point = (vertex: number) =>
	positions.slice(vertex * 3, vertex * 3 + 3) as [number, number, number];

/** Twice the area that a triangle covers for the viewer: below 0 when it shows its back. */
function covers([a, b, c]: readonly number[]): number {
	const [[ax, ay], [bx, by], [cx, cy]] = [point(a!), point(b!), point(c!)];
	return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

function trianglesOf(mesh: readonly number[]): number[][] {
	return Array.from({ length: mesh.length / 3 }, (_, i) => mesh.slice(i * 3, i * 3 + 3));
}

test("has 685 vertices, all on the unit sphere and in front", () => {
	expect(positions).toHaveLength(3 * 685);
	for (let vertex = 0; vertex < 685; vertex++) {
		expect(Math.hypot(...point(vertex))).toBeCloseTo(1);
		expect(point(vertex)[2]).toBeGreaterThan(0);
	}
});

test("the mesh covers its polygon once, facing the viewer", () => {
	const areas = trianglesOf(triangles).map(covers);
	expect(Math.min(...areas)).toBeGreaterThan(0);
	const polygon = 72 * Math.sin((2 * Math.PI) / 72) * (1 - 0.02 ** 2);
	expect(areas.reduce((sum, area) => sum + area)).toBeCloseTo(polygon);
});
