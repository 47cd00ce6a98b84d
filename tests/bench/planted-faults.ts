import type { Plugin } from "vite";

/**
 * Replaces `from` in a bundle of the engine.
 * @throws Error while bundling unless `from` occurs exactly once
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

export const addStateChange = (): Plugin =>
	edit(
		"engine/render/gl/gl-renderer.ts",
		"gl.disable(gl.BLEND);",
		"gl.disable(gl.BLEND); gl.depthMask(true);",
	);

export const allocatePerParticle = (): Plugin => {
	const write = "kind.write(records, slot, seed,";
	return edit(
		"engine/simulation/simulation.ts",
		write,
		`(records as any).kept = { birth }; ${write}`,
	);
};

/** Does each step's work three times. Only the first pass creates particles. */
export const tripleStepWork = (): Plugin => {
	const work = `
		endScene(simulation, simulation.rings[i]);
		bear(simulation, simulation.rings[i]);`;
	return edit("engine/simulation/simulation.ts", work, work.repeat(3));
};

export const slowShaders = (): Plugin => {
	const more = (shader: string, work: string) =>
		`${shader}.replace(/\\}$/, ${JSON.stringify(work)})`;
	const vertex = "for(int i=0;i<20;i++)gl_Position.x+=1e-9*sin(gl_Position.y+float(i));}";
	const pixel = "gl_FragColor.r+=1e-9*sin(gl_FragColor.g);}";
	return edit(
		"engine/render/gl/commands.ts",
		`sphereVertex,
			frag,`,
		`${more("sphereVertex", vertex)},
			frag: ${more("frag", pixel)},`,
	);
};
