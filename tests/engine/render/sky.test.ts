import { expect, test } from "vitest";
import { createSkyGrid, GLOW_STOPS, SKY_GRID_SIZES } from "../../../engine/render/sky.ts";

test.each(Object.entries(SKY_GRID_SIZES))("the %s sky covers the canvas once", (_, cells) => {
	const { positions, triangles } = createSkyGrid(cells);
	let covered = 0;
	for (let i = 0; i < triangles.length; i += 3) {
		const [ax, ay, bx, by, cx, cy] = triangles
			.slice(i, i + 3)
			.flatMap((vertex) => positions.slice(vertex * 3, vertex * 3 + 2)) as [
			...[number, number, number, number, number, number],
		];
		const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
		expect(area).toBeGreaterThan(0);
		covered += area / 2;
	}
	expect(covered).toBeCloseTo(4);
});

test.each(Object.entries(SKY_GRID_SIZES))(
	"the %s sky has vertices at its gradients' bends, so no triangle edge shows",
	(_, cells) => {
		const { positions } = createSkyGrid(cells);
		const heights = new Set(
			positions.filter((_, i) => i % 3 === 1).map((y) => ((1 - y) / 2).toFixed(3)),
		);
		for (const bend of [0, 0.38, 0.52, 0.66, 0.86, 1]) expect(heights).toContain(bend.toFixed(3));
	},
);

test("a light in the sky is smooth at its edge and center", () => {
	const left = GLOW_STOPS.map(([, light]) => light);
	expect([left[0], left.at(-1)]).toEqual([1, 0]);
	const steps = left.slice(1).map((light, i) => left[i]! - light);
	expect(Math.max(steps[0]!, steps.at(-1)!)).toBeLessThan(Math.max(...steps) * 0.6);
});
