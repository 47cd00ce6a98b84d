import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";

/**
 * Bundles a module into one plain script that sets the global `bundle` to its exports: the same
 * text for Node, a bare context and every browser.
 * @param entry path from the repository's root
 */
export async function bundle(entry: string, plugins: Plugin[] = []): Promise<string> {
	const root = fileURLToPath(new URL("../..", import.meta.url));
	// With one format there is one output, which without code splitting has one file.
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
