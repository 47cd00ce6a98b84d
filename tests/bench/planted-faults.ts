import type { Plugin } from "vite";
import { editFile } from "../engine/edited-bundle.ts";

export const addStateChange = (): Plugin =>
	editFile(
		"engine/render/gl/gl-renderer.ts",
		"gl.disable(gl.BLEND);",
		"gl.disable(gl.BLEND); gl.depthMask(true);",
	);

export const allocatePerParticle = (): Plugin => {
	const write = "kind.write(records, slot, seed,";
	return editFile(
		"engine/simulation/simulation.ts",
		write,
		`(records as any).kept = { birth }; ${write}`,
	);
};

/** Only the first pass creates particles, so the result is the same. */
export const tripleStepWork = (): Plugin => {
	const work = `
		endScene(simulation, simulation.rings[i]);
		spawn(simulation, simulation.rings[i]);`;
	return editFile("engine/simulation/simulation.ts", work, work.repeat(3));
};

export const slowShaders = (): Plugin => {
	const more = (shader: string, work: string) =>
		`${shader}.replace(/\\}$/, ${JSON.stringify(work)})`;
	const vertex = "for(int i=0;i<20;i++)gl_Position.x+=1e-9*sin(gl_Position.y+float(i));}";
	const pixel = "gl_FragColor.r+=1e-9*sin(gl_FragColor.g);}";
	return editFile(
		"engine/render/gl/commands.ts",
		`sphereVertex,
			frag,`,
		`${more("sphereVertex", vertex)},
			frag: ${more("frag", pixel)},`,
	);
};
