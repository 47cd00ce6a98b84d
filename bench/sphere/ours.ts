import createRegl from "regl";
import { hemisphere } from "../../engine/render/hemisphere.ts";
import { VERTEX } from "../../engine/render/quads.ts";
import { createSphere as createCommand } from "../../engine/render/sphere.ts";
import { type CreateSphere, viewMatrix } from "./subject.ts";

/** The engine's own command, on regl as the build ships it. */
export const createSphere: CreateSphere = (gl) => {
	const regl = createRegl({ gl });
	const { positions, fine } = hemisphere();
	const numbers = new Float32Array((positions.length / 3) * VERTEX);
	for (let point = 0; point < positions.length / 3; point++)
		numbers.set(positions.slice(point * 3, point * 3 + 3), point * VERTEX);
	const elements = regl.elements({ data: fine, primitive: "triangles" });
	const drawSphere = createCommand(regl, regl.buffer(numbers), elements);
	regl.poll();
	gl.disable(gl.DEPTH_TEST);
	gl.enable(gl.CULL_FACE);
	const sphere = viewMatrix(gl.canvas.width, gl.canvas.height);
	const props = { camera: { sphere, width: 1, height: 1 }, offset: 0, count: fine.length };
	return {
		draw(phase) {
			sphere[2] = phase;
			gl.clear(gl.COLOR_BUFFER_BIT);
			drawSphere(props);
		},
	};
};
