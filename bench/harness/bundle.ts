import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";

/** Bundles a module into one script, whose global `bundle` has the module's exports. */
export async function bundleModule(entry: string, plugins: Plugin[] = []): Promise<string> {
	const root = fileURLToPath(new URL("../..", import.meta.url));
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
