import type { Plugin } from "vite";

/**
 * Plants a fault: replaces one piece of source in engine or bench, in a bundle only.
 * @throws Error while bundling unless the piece is found exactly once
 */
function edit(file: string, from: string, to: string): Plugin {
	return {
		name: "edit",
		enforce: "pre",
		transform(code, id) {
			if (!id.endsWith(file)) return;
			if (code.split(from).length !== 2) {
				throw new Error(`${file} has "${from}" no longer exactly once: adapt the test's fault.`);
			}
			return { code: code.replace(from, () => to), map: null };
		},
	};
}

/** Runs extra code in each frame before it draws. */
const moreEachFrame = (more: string) => {
	const draw = "gl.disable(gl.BLEND);";
	return edit("engine/render/gl/gl-renderer.ts", draw, `${draw} ${more}`);
};

export const extraDrawCall = () => moreEachFrame("gl.drawArrays(gl.POINTS, 0, 0);");

/** The extra draw call in browsers only: Node and Chromium must count alike. */
export const extraDrawCallOnPages = () =>
	moreEachFrame('if ("document" in globalThis) gl.drawArrays(gl.POINTS, 0, 0);');

/** A superfluous uniform, sent to no location, which WebGL ignores. */
export const extraUniform = () => moreEachFrame("gl.uniform1f(null, 0);");

/** A vertex uploaded in every frame, without a birth. */
export const uploadEachFrame = () =>
	moreEachFrame("gl.bufferSubData(gl.ARRAY_BUFFER, 0, quads.vertices.subarray(0, 1));");

export const leakedBuffer = () => moreEachFrame("gl.createBuffer();");

/** One object that lives until the next step. */
export const objectEachStep = () =>
	edit(
		"engine/simulation/simulation.ts",
		"simulation.tick++;",
		"simulation.tick++; (simulation as any).kept = { tick: simulation.tick };",
	);

/** Does each step's work three times. The first has all due births, so the others are wasted. */
export const slowStep = () => {
	const work = `
		endScene(simulation, simulation.rings[i]);
		bear(simulation, simulation.rings[i]);`;
	return edit("engine/simulation/simulation.ts", work, work.repeat(3));
};

/**
 * 20 more sines per vertex of sky and sphere, and one per pixel. The calling thread does nothing
 * more. The shaders' own files are shortened before they are edited.
 */
export const slowShaders = () => {
	const more = (shader: string, work: string) =>
		`${shader}.replace(/\\}$/, ${JSON.stringify(work)})`;
	const vertex = "for(int i=0;i<20;i++)gl_Position.x+=1e-9*sin(gl_Position.y+float(i));}";
	const pixel = "gl_FragColor.r+=1e-9*sin(gl_FragColor.g);}";
	return edit(
		"engine/render/gl/sphere.ts",
		`glslColors(colors) + sphereVertex,
		frag: grainy ? grainyFragment : sphereFragment`,
		`glslColors(colors) + ${more("sphereVertex", vertex)},
		frag: ${more("(grainy ? grainyFragment : sphereFragment)", pixel)}`,
	);
};
