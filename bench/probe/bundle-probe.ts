import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type Plugin, runnerImport } from "vite";
import * as ownRegl from "../../src/tooling/shaders/compiled-regl.ts";
import * as ownShaders from "../../src/tooling/shaders/minify-shaders.ts";
import { bundleModule } from "../harness/bundle.ts";

export const REPOSITORY_ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(
	/[\\/]$/,
	"",
);

function engineOf(tree: string): Plugin {
	return {
		name: "engine-of-another-tree",
		enforce: "pre",
		async resolveId(source, importer) {
			if (!source.startsWith(".")) return;
			const found = await this.resolve(source, importer, { skipSelf: true });
			const path = found && relative(join(REPOSITORY_ROOT, "engine"), found.id);
			if (!path || path.startsWith(`..${sep}`)) return;
			return join(tree, "engine", path);
		},
	};
}

/** Uses the build plugins of the measured checkout, which may differ from this one's. */
async function pluginsOf(tree: string): Promise<Plugin[]> {
	if (tree === REPOSITORY_ROOT) return [ownRegl.compiledRegl(), ownShaders.minifyShaders()];
	const read = async <Tooling>(name: string) => {
		const file = join(tree, "src/tooling/shaders", name);
		return (await runnerImport<Tooling>(file, { configFile: false, logLevel: "error" })).module;
	};
	const { compiledRegl } = await read<typeof ownRegl>("compiled-regl.ts");
	const { minifyShaders } = await read<typeof ownShaders>("minify-shaders.ts");
	return [engineOf(tree), compiledRegl(), minifyShaders()];
}

/**
 * @param tree checkout to measure, with `node_modules`
 * @param edits plugins that change the measured code, in tests
 */
export async function bundleProbe(tree = REPOSITORY_ROOT, edits: Plugin[] = []): Promise<string> {
	return await bundleModule("bench/probe/probe.ts", [...edits, ...(await pluginsOf(tree))]);
}
