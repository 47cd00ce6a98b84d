import type { DrawCommand, Elements, Buffer as GlBuffer, Regl, Texture2D } from "regl";
import { APART } from "../apart.ts";
import { CORNER, VERTEX } from "./quads.ts";
import { spritesFragment, spritesVertex } from "./sprites.glsl.ts";

export interface SpritesProps {
	/** `FRAME`. */
	frame: Float32Array;
	/** Replaced on change: regl sends new objects only. */
	zones: Float32Array;
	offset: number;
	count: number;
}

export function createSprites(
	regl: Regl,
	vertices: GlBuffer,
	asides: GlBuffer,
	elements: Elements,
	atlas: Texture2D,
): DrawCommand {
	const at = (word: number) => ({ buffer: vertices, offset: word * 4, stride: VERTEX * 4 });
	return regl({
		vert: spritesVertex,
		frag: spritesFragment,
		attributes: {
			corner: at(0),
			life: at(CORNER.length),
			place: at(CORNER.length + 4),
			style: at(CORNER.length + 8),
			pace: at(CORNER.length + 12),
			a_right: { buffer: asides, stride: APART.numbers * 4 },
			a_up: { buffer: asides, stride: APART.numbers * 4, offset: APART.moments * 4 },
		},
		elements,
		offset: regl.prop<SpritesProps, "offset">("offset"),
		count: regl.prop<SpritesProps, "count">("count"),
		uniforms: {
			u: regl.prop<SpritesProps, "frame">("frame"),
			u_zones: regl.prop<SpritesProps, "zones">("zones"),
			u_atlas: atlas,
		},
	});
}
