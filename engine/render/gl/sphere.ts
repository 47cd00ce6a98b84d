import type { DrawCommand, Elements, Buffer as GlBuffer, Regl } from "regl";
import { type Colors, glslColors } from "../theme.ts";
import { VERTEX } from "./quads.ts";
import { grainyFragment, sphereFragment, sphereVertex } from "./sphere.glsl.ts";

export interface SphereProps {
	/** `SPHERE`. */
	block: Float32Array;
	offset: number;
	count: number;
}

/**
 * @param grainy hides 8-bit banding
 * @param vertices has the sphere's positions in place of the quads' corners: see createGlRenderer
 */
export function createSphere(
	regl: Regl,
	vertices: GlBuffer,
	elements: Elements,
	colors: Colors,
	grainy: boolean,
): DrawCommand {
	return regl({
		vert: glslColors(colors) + sphereVertex,
		frag: grainy ? grainyFragment : sphereFragment,
		attributes: { a_position: { buffer: vertices, stride: VERTEX * 4 } },
		elements,
		offset: regl.prop<SphereProps, "offset">("offset"),
		count: regl.prop<SphereProps, "count">("count"),
		uniforms: { u: regl.prop<SphereProps, "block">("block") },
	});
}
