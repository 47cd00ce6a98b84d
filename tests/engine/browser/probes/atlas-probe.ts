import { THEME } from "../../../../engine/default-theme.ts";
import { CELL, cellAt, createAtlas } from "../../../../engine/render/atlas.ts";
import { createGlRenderer } from "../../../../engine/render/gl/gl-renderer.ts";
import { createPicture } from "../../../../engine/render/renderer.ts";
import { createSimulation, seek } from "../../../../engine/simulation/index.ts";

/** Share of its cell that each glyph covers, painted in place of an emoji. */
export function covered(glyphs: readonly string[], detail: number): number[] {
	const emoji = THEME.emoji.map((own, place) => glyphs[place] ?? own);
	const context = createAtlas({ ...THEME, emoji }, detail).getContext("2d") as
		| CanvasRenderingContext2D
		| OffscreenCanvasRenderingContext2D;
	return glyphs.map((_, place) => {
		const { left, top } = cellAt(place);
		const edge = Math.floor(CELL * detail);
		const { data } = context.getImageData(
			Math.ceil(left * detail),
			Math.ceil(top * detail),
			edge,
			edge,
		);
		return data.filter((value, at) => at % 4 === 3 && value > 128).length / edge ** 2;
	});
}

/** Edge in px of each uploaded atlas, for pictures with these device pixels per CSS px. */
export function edgesSent(ratios: readonly number[], width: number, software: boolean): number[] {
	const gl = document.createElement("canvas").getContext("webgl2")!;
	const edges: number[] = [];
	const send = gl.texImage2D.bind(gl) as (...words: unknown[]) => void;
	Object.assign(gl, {
		texImage2D(...words: unknown[]) {
			edges.push((words.at(-1) as OffscreenCanvas).width);
			send(...words);
		},
	});
	const simulation = createSimulation(42, "drift");
	seek(simulation, 300);
	const renderer = createGlRenderer(gl, simulation, THEME, software);
	edges.length = 0;
	for (const ratio of ratios) {
		renderer.resize(width, 600, ratio);
		renderer.draw({ ...createPicture(), time: 300 });
	}
	if (gl.getError() !== gl.NO_ERROR) throw new Error("The GPU found a mistake.");
	renderer.destroy();
	return edges;
}
