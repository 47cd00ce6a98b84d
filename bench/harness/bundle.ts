import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";

/**
 * Bundles a module into one script that runs in Node and every browser. It sets the global `bundle`
 * to the module's exports.
 * @param entry path from the repository's root
 */
export async function bundleModule(entry: string, plugins: Plugin[] = []): Promise<string> {
	const root = fileURLToPath(new URL("../..", import.meta.url));
	// Without code splitting the output is one file.
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
