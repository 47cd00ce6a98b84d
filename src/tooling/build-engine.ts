/** `npm run build:engine` makes dist/engine, the engine as a package for npm. */
import { execFileSync } from "node:child_process";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Plugin, build as viteBuild } from "vite";
import { compiledRegl } from "./shaders/compiled-regl.ts";
import { leanShaders } from "./shaders/lean-shaders.ts";

const OUT = "dist/engine";
/** Declaration files, from `outDir` in tsconfig.json. */
const TYPES = "node_modules/.cache/types/engine";

/** @param entry source path from the repository's root, by output file name */
async function build(entry: Record<string, string>): Promise<void> {
	await viteBuild({
		configFile: false,
		publicDir: false,
		logLevel: "error",
		plugins: [compiledRegl(), leanShaders(), workerBeside()],
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
 * Emits the worker's URL in the form that bundlers recognize. They copy the file, so the worker has
 * no imports. A plugin, because Vite rewrites such URLs in sources.
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

/** Copies the declaration files. Their imports name sources, which other projects do not have. */
async function copyTypes(): Promise<void> {
	for (const file of await readdir(TYPES, { recursive: true })) {
		if (!file.endsWith(".d.ts")) continue;
		const text = await readFile(join(TYPES, file), "utf8");
		const target = join(OUT, "types", file);
		await mkdir(dirname(target), { recursive: true });
		await writeFile(target, text.replace(/(from "\.[^"]+)\.ts"/g, '$1.js"'));
	}
}

/** Writes the license, with those of bundled packages. */
async function writeLicense(): Promise<void> {
	const files = ["LICENSE", "node_modules/regl/LICENSE", "node_modules/gl-matrix/LICENSE.md"];
	const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
	await writeFile(join(OUT, "LICENSE"), texts.join("\n---\n\n"));
}

await rm(OUT, { recursive: true, force: true });
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-b", "engine"]);
await build({
	index: "engine/index.ts",
	simulation: "engine/simulation/index.ts",
	theme: "engine/default-theme.ts",
});
await build({ worker: "engine/player/worker.ts" });
await copyTypes();
await writeFile(join(OUT, "types/worker.d.ts"), "export {};\n");
await copyFile("src/tooling/engine-package.json", join(OUT, "package.json"));
await writeLicense();
