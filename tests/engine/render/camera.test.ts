import { vec4 } from "gl-matrix";
import { describe, expect, test } from "vitest";
import { aimCamera, createCamera } from "../../../engine/render/camera.ts";
import { createPicture } from "../../../engine/render/renderer.ts";

/** Screen position of a point on the unit sphere, in px from the top left. */
function place(
	size: readonly [number, number],
	night: number,
	point: readonly [number, number],
	swell = 0,
) {
	const camera = createCamera();
	[camera.width, camera.height] = size;
	aimCamera(camera, { ...createPicture(), sunken: night, swell });
	const at = vec4.transformMat4(vec4.create(), [...point, 0, 1], camera.view);
	return [((at[0] + 1) * size[0]) / 2, ((1 - at[1]) * size[1]) / 2].map(Math.round);
}

describe("the sphere", () => {
	test.each([
		["a wide window: 82 % of its height", [1000, 600], [500, 306], [746, 60]],
		["a phone: 118 % of its width", [400, 800], [200, 408], [436, 172]],
		["an upright tablet: 92 % of its width", [800, 1100], [400, 561], [768, 193]],
		["a large window: 82 % of its height", [2560, 1440], [1280, 734], [1870, 144]],
		["the second column: 92 % of a low and wide window", [844, 390], [641, 199], [821, 19]],
		["the same, no wider than its column", [720, 450], [542, 229], [720, 51]],
		["the same, for a small phone in landscape", [667, 375], [489, 191], [661, 19]],
		["a larger one: 1200 px", [3000, 2000], [1500, 1020], [2100, 420]],
	] as const)("by day is centered in %s", (_, size, middle, topRight) => {
		expect(place(size, 0, [0, 0])).toEqual(middle);
		expect([place(size, 0, [1, 0])[0], place(size, 0, [0, 1])[1]]).toEqual(topRight);
	});

	test("by night is 2.1 times as large, and only its top is visible, at 84.6 % of the height", () => {
		const size = [1440, 900] as const;
		expect(place(size, 1, [0, 1])).toEqual([720, 761]);
		expect(place(size, 1, [1, 0])[0]).toBe(720 + Math.round(369 * 2.1));
	});

	test("grows by 3 % around its center with a breath", () => {
		const [middle, edge] = [[0, 0] as const, [1, 0] as const].map((point) =>
			place([1000, 600], 0, point, 1),
		);
		expect(middle).toEqual([500, 306]);
		expect(edge![0]).toBe(500 + Math.round(246 * 1.03));
	});

	test("moves, and repeats after 7200 ticks", () => {
		const camera = createCamera();
		const phases = [0, 1800, 7200, 9000].map((time) => {
			aimCamera(camera, { ...createPicture(), time });
			return camera.phase;
		});
		expect(phases).toEqual(
			[0, Math.PI / 2, 0, Math.PI / 2].map((phase) => expect.closeTo(phase, 5)),
		);
	});
});
