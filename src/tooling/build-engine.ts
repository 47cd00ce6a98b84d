/** `npm run build:engine` makes dist/engine, the engine as a package for npm. */
import { execFileSync } from "node:child_process";
import { copyFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Plugin, build as viteBuild } from "vite";
import { replaceFile } from "./replace-file.ts";
import { compiledRegl } from "./shaders/compiled-regl.ts";
import { minifyShaders } from "./shaders/minify-shaders.ts";

const OUT = "dist/engine";
/** `outDir` of the engine in tsconfig.json. */
const TYPES = "node_modules/.cache/types/engine";

/** @param entry source path from the repository's root, by output file name */
async function build(entry: Record<string, string>): Promise<void> {
	await viteBuild({
		configFile: false,
		publicDir: false,
		logLevel: "error",
		plugins: [compiledRegl(), minifyShaders(), workerBeside()],
		build: {
			outDir: OUT,
			emptyOutDir: false,
			target: "es2022",
			lib: { entry, formats: ["es"] },
			rolldownOptions: { output: { minify: true, chunkFileNames: "chunks/[name].js" } },
		},
	});
}

/**
 * Adds the worker's URL to the built file, in the form that bundlers find. In a source file, Vite would rewrite it.
 * Bundlers copy worker.js unchanged, so it must not import anything.
 */
function workerBeside(): Plugin {
	const name = "\0worker-beside";
	return {
		name: "worker-beside",
		enforce: "pre",
		resolveId: (id) => (id.endsWith("worker.ts?worker&url") ? name : undefined),
		load: (id) => (id === name ? "export default WORKER_URL" : undefined),
		generateBundle(_, { "index.js": index }) {
			if (index?.type !== "chunk") return;
			const url = 'new URL("./worker.js", import.meta.url).href';
			index.code = index.code.replace("WORKER_URL", url);
		},
	};
}

/** Copies the declarations. They import `.ts` files, but the package has only `.js` files. */
async function copyTypes(): Promise<void> {
	for (const file of await readdir(TYPES, { recursive: true })) {
		if (!file.endsWith(".d.ts")) continue;
		const text = await readFile(join(TYPES, file), "utf8");
		const declarations = text.replace(/(from "\.[^"]+)\.ts"/g, '$1.js"');
		await replaceFile(join(OUT, "types", file), declarations);
	}
}

async function writeLicense(): Promise<void> {
	const files = ["LICENSE", "node_modules/regl/LICENSE", "node_modules/gl-matrix/LICENSE.md"];
	const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
	await writeFile(join(OUT, "LICENSE"), texts.join("\n---\n\n"));
}

// The compiler never deletes declarations of renamed files.
for (const folder of [OUT, TYPES]) await rm(folder, { recursive: true, force: true });
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-b", "engine"]);
await build({
	index: "engine/index.ts",
	simulation: "engine/simulation/index.ts",
	theme: "engine/default-theme.ts",
});
await build({ worker: "engine/player/worker.ts" });
await copyTypes();
await copyFile("src/tooling/engine-package.json", join(OUT, "package.json"));
await writeLicense();
