import { type Plugin, runnerImport } from "vite";

/**
 * Ships shaders as short as GLSL allows, with their constants filled in. No minifier looks inside
 * strings, so this evaluates each `.glsl.ts`, whose exports are all shaders, and shortens the text.
 */
export function leanShaders(): Plugin {
	return {
		name: "lean-shaders",
		enforce: "pre",
		apply: "build",
		async load(id) {
			if (!id.endsWith(".glsl.ts")) return;
			const { module: shaders } = await runnerImport<Record<string, string>>(id, {
				configFile: false,
				logLevel: "error",
			});
			return Object.entries(shaders)
				.map(([name, text]) => `export const ${name} = ${JSON.stringify(shorten(text))};`)
				.join("\n");
		},
	};
}

function shorten(shader: string): string {
	return (
		shader
			.replace(/\/\/.*/g, "")
			.replace(/\s+/g, " ")
			.replace(/ ?([=*/,;{}()<>?:]) ?/g, "$1")
			// Two signs in a row would be another one: a - -b.
			.replace(/ ([+-]) (?![+-])/g, "$1")
			// 0.50 is .5, and 1.0 is 1.
			.replace(/\b\d+\.\d+\b/g, (number) => number.replace(/0+$/, "").replace(/^0(?=\.\d)/, ""))
			.trim()
	);
}
