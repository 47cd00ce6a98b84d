import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";

/**
 * The code of a module and all that it imports, as one plain script that leaves the module's exports
 * in the global `bundle`: the same text for Node, a bare context and every browser.
 * @param entry path from the root of the repository
 */
export async function bundle(entry: string, plugins: Plugin[] = []): Promise<string> {
	const root = fileURLToPath(new URL("../..", import.meta.url));
	// One format in, one output out, and without code splitting one file in it.
	const [{ output }] = (await build({
		root,
		configFile: false,
		logLevel: "error",
		plugins,
		build: {
			write: false,
			minify: false,
			target: "es2022",
			lib: { entry, formats: ["iife"], name: "bundle" },
		},
	})) as unknown as [{ output: [{ code: string }] }];
	return output[0].code;
}
