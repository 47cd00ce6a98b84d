import createRegl, {
	type DrawCommand,
	type Elements,
	type Buffer as GlBuffer,
	type Regl,
} from "regl";
import { FLOAT_SPACING } from "../apart.ts";
import { type Colors, glslColors } from "../theme.ts";
import { QUAD_FIELD, VERTEX_LENGTH } from "./quads.ts";
import { grainyFragment, sphereFragment, sphereVertex } from "./sphere.glsl.ts";
import { spritesFragment, spritesVertex } from "./sprites.glsl.ts";

export type Gl = WebGLRenderingContext | WebGL2RenderingContext;

export interface DrawCommands {
	regl: Regl;
	vertices: GlBuffer;
	floatOffsets: GlBuffer;
	elements: Elements;
	drawSphere: DrawCommand;
	/** Adds grain against 8-bit banding; the same as `drawSphere` on GPUs without `highp`. */
	drawGrainySphere: DrawCommand;
	drawSprites: DrawCommand;
}

export interface DrawInputs {
	vertices: Float32Array;
	floatOffsets: Float32Array;
	triangles: Uint16Array;
	colors: Colors;
}

interface Props {
	block: Float32Array;
	/** For sprites only. Replace the array to change it, because regl skips the array it sent last. */
	zones: Float32Array;
	offset: number;
	count: number;
}

/**
 * Also runs in the build, on a WebGL stub, to compile regl's commands ahead of time.
 * @throws Error if a shader does not compile or the build has not compiled a command
 */
export function createDrawCommands(gl: Gl, inputs: DrawInputs): DrawCommands {
	const regl = createRegl({ gl: gl as WebGLRenderingContext });
	const usage = "dynamic";
	const vertices = regl.buffer({ data: inputs.vertices, usage });
	const floatOffsets = regl.buffer({ data: inputs.floatOffsets, usage });
	const elements = regl.elements({ data: inputs.triangles, primitive: "triangles", usage });
	const atlas = regl.texture({ width: 1, height: 1 });
	const at = (index: number) => ({
		buffer: vertices,
		offset: index * 4,
		stride: VERTEX_LENGTH * 4,
	});
	const shared = {
		elements,
		offset: regl.prop<Props, "offset">("offset"),
		count: regl.prop<Props, "count">("count"),
	};
	const u = regl.prop<Props, "block">("block");

	// A sphere's vertex starts with its position, a sprite's with `corner`.
	const createSphere = (frag: string) =>
		regl({
			...shared,
			vert: glslColors(inputs.colors) + sphereVertex,
			frag,
			attributes: { a_position: at(0) },
			uniforms: { u },
		});
	const drawSphere = createSphere(sphereFragment);
	const high = gl.getShaderPrecisionFormat(gl.FRAGMENT_SHADER, gl.HIGH_FLOAT);
	const drawGrainySphere = high?.precision === 0 ? drawSphere : createSphere(grainyFragment);

	const drawSprites = regl({
		...shared,
		vert: spritesVertex,
		frag: spritesFragment,
		attributes: {
			corner: at(0),
			life: at(QUAD_FIELD.length),
			place: at(QUAD_FIELD.length + 4),
			style: at(QUAD_FIELD.length + 8),
			pace: at(QUAD_FIELD.length + 12),
			a_right: { buffer: floatOffsets, stride: FLOAT_SPACING.numbers * 4 },
			a_up: {
				buffer: floatOffsets,
				stride: FLOAT_SPACING.numbers * 4,
				offset: FLOAT_SPACING.points * 4,
			},
		},
		uniforms: { u, u_zones: regl.prop<Props, "zones">("zones"), u_atlas: atlas },
	});
	return { regl, vertices, floatOffsets, elements, drawSphere, drawGrainySphere, drawSprites };
}
