/** `npm run build:engine` makes dist/engine, the engine as a package for npm. */
import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Plugin, build as viteBuild } from "vite";
import { compiledRegl } from "./shaders/compiled-regl.ts";
import { leanShaders } from "./shaders/lean-shaders.ts";

const OUT = "dist/engine";
/** Declaration files, from `outDir` in tsconfig.json. */
const TYPES = "node_modules/.cache/types/engine";
const ENTRIES = {
	index: "index",
	simulation: "simulation/index",
	theme: "default-theme",
};

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

/** Copies a declaration file and its imports. */
async function copyTypes(file: string, done = new Set<string>()): Promise<void> {
	if (done.has(file)) return;
	done.add(file);
	const text = await readFile(join(TYPES, file), "utf8");
	const target = join(OUT, "types", file);
	await mkdir(dirname(target), { recursive: true });
	await writeFile(target, text.replace(/(from ")(\.[^"]+)\.ts"/g, '$1$2.js"'));
	for (const [, path = ""] of text.matchAll(/from "(\.[^"]+)\.ts"/g)) {
		await copyTypes(join(dirname(file), `${path}.d.ts`), done);
	}
}

async function writeManifest(): Promise<void> {
	const { version, license } = JSON.parse(await readFile("package.json", "utf8"));
	const entry = (name: keyof typeof ENTRIES) => ({
		types: `./types/${ENTRIES[name]}.d.ts`,
		default: `./${name}.js`,
	});
	const manifest = {
		name: "orbit-engine",
		version,
		description: "An iridescent sphere, drifting emoji and fireworks, in WebGL",
		license,
		type: "module",
		sideEffects: ["./worker.js"],
		exports: {
			".": entry("index"),
			"./simulation": entry("simulation"),
			"./theme": entry("theme"),
			"./worker": { types: "./types/worker.d.ts", default: "./worker.js" },
		},
	};
	await writeFile(join(OUT, "package.json"), `${JSON.stringify(manifest, null, "\t")}\n`);
	await writeFile(join(OUT, "types/worker.d.ts"), "export {};\n");
}

/** Writes the license, with those of bundled packages. */
async function writeLicense(): Promise<void> {
	const files = ["LICENSE", "node_modules/regl/LICENSE", "node_modules/gl-matrix/LICENSE.md"];
	const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
	await writeFile(join(OUT, "LICENSE"), texts.join("\n---\n\n"));
}

await rm(OUT, { recursive: true, force: true });
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-b", "engine"]);
const entries = Object.entries(ENTRIES).map(([name, file]) => [name, `engine/${file}.ts`]);
await build(Object.fromEntries(entries));
await build({ worker: "engine/player/worker.ts" });
for (const file of Object.values(ENTRIES)) await copyTypes(`${file}.d.ts`);
await writeManifest();
await writeLicense();
