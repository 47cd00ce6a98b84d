import { fileURLToPath } from "node:url";
import { build, type Plugin, preview } from "vite";
import { brandColors } from "../../src/tooling/colors/brand-styles.ts";
import { compiledRegl } from "../../src/tooling/shaders/compiled-regl.ts";
import { minifyShaders } from "../../src/tooling/shaders/minify-shaders.ts";

const root = fileURLToPath(new URL(".", import.meta.url));
const outDir = fileURLToPath(new URL("../../node_modules/.cache/playground", import.meta.url));
const counter = fileURLToPath(new URL("gl-counts-in-worker.ts", import.meta.url));

/** Prepends the counter of WebGL calls to the engine's worker. */
function countedWorker(): Plugin {
	return {
		name: "counted-worker",
		enforce: "pre",
		transform: (code, id) =>
			id.endsWith("/engine/player/worker.ts")
				? { code: `import ${JSON.stringify(counter)};\n${code}`, map: null }
				: undefined,
	};
}

/** @param port 0 picks a free one */
export async function servePlayground(
	port: number,
	host = "127.0.0.1",
): Promise<{ url: string; close(): Promise<void> }> {
	const shared = { root, configFile: false, logLevel: "warn" } as const;
	const plugins = () => [compiledRegl(), minifyShaders()];
	await build({
		...shared,
		build: {
			outDir,
			emptyOutDir: true,
			target: "es2022",
			assetsInlineLimit: 0,
			rolldownOptions: { checks: { pluginTimings: false } },
		},
		plugins: [brandColors(), plugins()],
		worker: { format: "es", plugins: () => [countedWorker(), plugins()] },
	});
	const server = await preview({
		...shared,
		build: { outDir },
		preview: { port, strictPort: port > 0, host },
	});
	return {
		url: server.resolvedUrls?.local[0] ?? server.resolvedUrls?.network[0] ?? "",
		close: () => server.close(),
	};
}
