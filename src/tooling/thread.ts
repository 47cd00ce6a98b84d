import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, normalizePath, type Plugin, type Rolldown } from "vite";

const QUERY = "?thread";
const cache = resolve("node_modules/.cache/threads");

/**
 * Lets the server start worker threads from TypeScript:
 *
 * ```ts
 * import { threadUrl } from "../server/database-thread.ts?thread";
 * new Worker(new URL(threadUrl));
 * ```
 *
 * Vite itself supports page workers only. A build emits the module as a separate chunk next to the
 * importer; the dev server and the tests, which write no chunks, bundle it into `cache`.
 */
export function threadPlugin(): Plugin {
	const emitted = new Set<string>();
	return {
		name: "thread",
		// Runs before Vite resolves file URLs, which would yield a site path.
		enforce: "pre",
		async resolveId(source, importer) {
			if (!source.endsWith(QUERY)) return;
			const resolved = await this.resolve(source.slice(0, -QUERY.length), importer);
			return resolved && resolved.id + QUERY;
		},
		async load(id) {
			if (!id.endsWith(QUERY)) return;
			const file = id.slice(0, -QUERY.length);
			if (this.environment.mode === "build") {
				const chunk = this.emitFile({ type: "chunk", id: file });
				emitted.add(chunk);
				return `export const threadUrl = import.meta.ROLLUP_FILE_URL_${chunk};`;
			}
			const { url, modules } = await bundle(file);
			for (const module of modules) this.addWatchFile(module);
			return `export const threadUrl = ${JSON.stringify(url)};`;
		},
		resolveFileUrl({ referenceId, relativePath }) {
			if (!emitted.has(referenceId)) return;
			return `new URL(${JSON.stringify(relativePath)}, import.meta.url).href`;
		},
	};
}

/** Bundles a module for Node. The hashed name allows two processes to do this at once. */
async function bundle(file: string): Promise<{ url: string; modules: string[] }> {
	const output = (await build({
		configFile: false,
		logLevel: "warn",
		build: {
			ssr: file,
			outDir: cache,
			emptyOutDir: false,
			rolldownOptions: { output: { entryFileNames: "[name]-[hash].js" } },
		},
	})) as Rolldown.RolldownOutput;
	const chunks = output.output.filter(({ type }) => type === "chunk") as Rolldown.OutputChunk[];
	const entry = chunks.find(({ facadeModuleId }) => facadeModuleId === file)!;
	return {
		url: pathToFileURL(join(cache, entry.fileName)).href,
		modules: chunks.flatMap(({ moduleIds }) => moduleIds.map(normalizePath)),
	};
}
