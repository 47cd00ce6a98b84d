import { fileURLToPath } from "node:url";
import { build } from "vite";
import { compiledRegl } from "../../../src/tooling/shaders/compiled-regl.ts";

export const builtStageFolder = fileURLToPath(
	new URL("../../../node_modules/.cache/engine-stage/", import.meta.url),
);

/** Builds a page with only the engine: hashed files and compiled regl, like the site. */
export async function buildStage(): Promise<void> {
	await build({
		root: fileURLToPath(new URL("engine-stage", import.meta.url)),
		configFile: false,
		logLevel: "error",
		build: { outDir: builtStageFolder, emptyOutDir: true, target: "es2022", assetsInlineLimit: 0 },
		plugins: [compiledRegl()],
		worker: { format: "es", plugins: () => [compiledRegl()] },
	});
}
