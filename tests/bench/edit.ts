import type { Plugin } from "vite";

/**
 * Changes one place of the engine, or of the bench, in a bundle: a build with a fault in it, of which
 * the product knows nothing.
 * @throws Error while bundling, when the place is not found exactly once
 */
function edit(file: string, from: string, to: string): Plugin {
	return {
		name: "edit",
		enforce: "pre",
		transform(code, id) {
			if (!id.endsWith(file)) return;
			if (code.split(from).length !== 2)
				throw new Error(`${file} has "${from}" no longer exactly once: adapt the test's fault.`);
			return { code: code.replace(from, () => to), map: null };
		},
	};
}

/** Controls that allocate nothing, beside which nothing can be said. */
export const idleControls = () => [
	edit("bench/probe.ts", "kept = { i };", "kept;"),
	edit("bench/probe.ts", "kept = new Array(256).fill(i);", "kept;"),
];

/** One more call to draw, of nothing. */
export const extraDrawCall = () =>
	edit(
		"engine/render/gl-renderer.ts",
		"gl.disable(gl.BLEND);",
		"gl.disable(gl.BLEND); gl.drawArrays(gl.POINTS, 0, 0);",
	);

/** The same where there is a page, and not in Node: the two must count alike. */
export const extraDrawCallOnPages = () =>
	edit(
		"engine/render/gl-renderer.ts",
		"gl.disable(gl.BLEND);",
		'gl.disable(gl.BLEND); if ("document" in globalThis) gl.drawArrays(gl.POINTS, 0, 0);',
	);

/** A uniform that nothing has asked for: to no place, which WebGL passes over. */
export const extraUniform = () =>
	edit(
		"engine/render/gl-renderer.ts",
		"gl.disable(gl.BLEND);",
		"gl.disable(gl.BLEND); gl.uniform1f(null, 0);",
	);

/** A vertex that is sent again in every frame, born or not. */
export const uploadEachFrame = () =>
	edit(
		"engine/render/gl-renderer.ts",
		"writeBirths(quads, upload);",
		"writeBirths(quads, upload); gl.bufferSubData(gl.ARRAY_BUFFER, 0, quads.vertices.subarray(0, 1));",
	);

/** A buffer that every frame makes and leaves behind. */
export const leakedBuffer = () =>
	edit(
		"engine/render/gl-renderer.ts",
		"gl.disable(gl.BLEND);",
		"gl.disable(gl.BLEND); gl.createBuffer();",
	);

/** One object that is kept until the next step. */
export const objectEachStep = () =>
	edit(
		"engine/simulation/simulation.ts",
		"simulation.tick++;",
		"simulation.tick++; (simulation as any).kept = { tick: simulation.tick };",
	);

/** A step that works three times, twice to no avail: what is due has been born by the first. */
export const slowStep = () => {
	const again = `
		endDrift(simulation);
		bear(simulation, KIND.float);
		bear(simulation, KIND.rocket);
		bear(simulation, KIND.spark);`;
	return edit(
		"engine/simulation/simulation.ts",
		"\tbear(simulation, KIND.spark);\n}",
		`\tbear(simulation, KIND.spark);${again}${again}\n}`,
	);
};
