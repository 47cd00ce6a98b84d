import createRegl, {
	type DrawCommand,
	type Elements,
	type Buffer as GlBuffer,
	type Regl,
} from "regl";
import type { Colors } from "../theme.ts";
import { createSphere } from "./sphere.ts";
import { createSprites } from "./sprites.ts";

export type Gl = WebGLRenderingContext | WebGL2RenderingContext;

export interface Commands {
	regl: Regl;
	vertices: GlBuffer;
	asides: GlBuffer;
	elements: Elements;
	drawSphere: DrawCommand;
	/** With grain, if the GPU has the precision. */
	drawGrainySphere: DrawCommand;
	drawSprites: DrawCommand;
}

export interface Supplies {
	vertices: Float32Array;
	asides: Float32Array;
	triangles: Uint16Array;
	colors: Colors;
}

/**
 * In one place, because the build runs exactly this on a WebGL stub to compile regl's commands. The
 * atlas is empty until the renderer paints it.
 * @throws Error if a shader does not compile or the build does not know a command
 */
export function createCommands(gl: Gl, supplies: Supplies): Commands {
	const regl = createRegl({ gl: gl as WebGLRenderingContext });
	const vertices = regl.buffer({ data: supplies.vertices, usage: "dynamic" });
	const asides = regl.buffer({ data: supplies.asides, usage: "dynamic" });
	const elements = regl.elements({
		data: supplies.triangles,
		primitive: "triangles",
		usage: "dynamic",
	});
	const atlas = regl.texture({ width: 1, height: 1 });
	const drawSphere = createSphere(regl, vertices, elements, supplies.colors, false);
	const high = gl.getShaderPrecisionFormat(gl.FRAGMENT_SHADER, gl.HIGH_FLOAT);
	return {
		regl,
		vertices,
		asides,
		elements,
		drawSphere,
		drawGrainySphere:
			high?.precision === 0
				? drawSphere
				: createSphere(regl, vertices, elements, supplies.colors, true),
		drawSprites: createSprites(regl, vertices, asides, elements, atlas),
	};
}
