import { type Plugin, runnerImport } from "vite";

/** Shortens all shaders in `.glsl.ts` files, because minifiers do not look inside strings. */
export function minifyShaders(): Plugin {
	return {
		name: "minify-shaders",
		enforce: "pre",
		apply: "build",
		async load(id) {
			if (!id.endsWith(".glsl.ts")) return;
			const { module: shaders } = await runnerImport<Record<string, string>>(id, {
				configFile: false,
				logLevel: "error",
			});
			return Object.entries(shaders)
				.map(([name, text]) => `export const ${name} = ${JSON.stringify(shorten(expand(text)))};`)
				.join("\n");
		},
	};
}

/** Expands the names that `glslDefines` defines. */
function expand(shader: string): string {
	const names = new Map(
		[...shader.matchAll(/^#define (\w+) (.*)$/gm)].map(([, name, text]) => [name!, text!]),
	);
	return (
		shader
			.replace(/^#define .*$/gm, "")
			.replace(/\b[a-z]\w*/gi, (name) => names.get(name) ?? name)
			// `u_parallax.y` expands to `u[1].xy.y`, which is `u[1].y`.
			.replace(/\.([xyzw]{2})\.([xy])\b/g, (_, [first, second], one) =>
				one === "x" ? `.${first}` : `.${second}`,
			)
	);
}

/** Preprocessor directives need separate lines. */
function shorten(shader: string): string {
	const parts = shader.split(/^\s*(#.*)$/m);
	return parts
		.map((part) => (part.startsWith("#") ? part : shortenCode(part)))
		.filter((part) => part !== "")
		.join("\n");
}

function shortenCode(code: string): string {
	return (
		code
			.replace(/\/\/.*/g, "")
			// Rounding to six digits moves sprites by less than a tenth of a px (picture.test.ts).
			.replace(/\d+\.\d{6,}/g, (number) => Number(number).toPrecision(6))
			.replace(/\s+/g, " ")
			.replace(/ ?(&&|\|\||[+-]=|[=*/,;{}()<>?:]) ?/g, "$1")
			// Two signs in a row would become another operator: a - -b.
			.replace(/ ?([+-]) (?![+-])/g, "$1")
			// Shortens 0.50 to .5, and 1.0 to 1.
			.replace(/\b\d+\.\d+\b/g, (number) => number.replace(/0+$/, "").replace(/^0(?=\.\d)/, ""))
			.trim()
	);
}
