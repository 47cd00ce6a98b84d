import { createCommands } from "../../../engine/render/commands.ts";

/** Hashes of what regl compiles for our commands on this browser's own WebGL, by its version. */
export function recordedProcedures(version: "webgl" | "webgl2"): string[] {
	const recorded = {} as Record<string, string>;
	Object.assign(globalThis, { reglProcedures: recorded });
	const gl = document.createElement("canvas").getContext(version) as WebGLRenderingContext;
	createCommands(gl, {
		vertices: new Float32Array(1),
		triangles: new Uint16Array(3),
		atlas: { width: 1, height: 1 },
	});
	return Object.keys(recorded).sort();
}
