import type { Plugin } from "vite";

/** Ships shaders without their comments and indents, which no minifier sees inside of strings. */
export function leanShaders(): Plugin {
	return {
		name: "lean-shaders",
		enforce: "pre",
		apply: "build",
		transform: (code, id) =>
			id.endsWith(".glsl.ts")
				? { code: code.replace(/^\s*\/\/.*\n/gm, "").replace(/^\t+/gm, ""), map: null }
				: undefined,
	};
}
