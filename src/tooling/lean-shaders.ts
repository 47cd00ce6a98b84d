import type { Plugin } from "vite";

/**
 * Ships shaders without their comments, indents and spaces round signs, which no minifier sees inside
 * of strings. Plus and minus keep theirs: two of them in a row would be another sign.
 */
export function leanShaders(): Plugin {
	return {
		name: "lean-shaders",
		enforce: "pre",
		apply: "build",
		transform: (code, id) =>
			id.endsWith(".glsl.ts")
				? {
						code: code
							.replace(/^\s*\/\/.*\n/gm, "")
							.replace(/^\t+/gm, "")
							.replace(/`[^`]*`/g, squeeze),
						map: null,
					}
				: undefined,
	};
}

function squeeze(shader: string): string {
	return shader.replace(/ *([=*/,;{}()<>?:]) */g, "$1");
}
