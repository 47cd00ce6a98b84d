import { type Plugin, runnerImport } from "vite";

/**
 * No minifier looks inside strings, so this evaluates each imported `.glsl.ts`, whose exports are
 * all shaders, and shortens the text.
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
			const expanded = Object.entries(shaders).map(([name, text]) => [name, expand(text)] as const);
			const short = shortNames(expanded.map(([, text]) => text).join("\n"));
			return expanded
				.map(([name, text]) => `export const ${name} = ${JSON.stringify(shorten(text, short))};`)
				.join("\n");
		},
	};
}

/** Expands the names of packed numbers: see glslNames. */
function expand(shader: string): string {
	const names = new Map(
		[...shader.matchAll(/^#define (\w+) (.*)$/gm)].map(([, name, text]) => [name!, text!]),
	);
	return (
		shader
			.replace(/^#define .*$/gm, "")
			.replace(/\b[a-z]\w*/gi, (name) => names.get(name) ?? name)
			// u_lean.y is u[1].xy.y.
			.replace(/\.([xyzw]{2})\.([xy])\b/g, (_, [first, second], one) =>
				one === "x" ? `.${first}` : `.${second}`,
			)
	);
}

/**
 * For a shader's own functions, variables, and varyings. Attributes and uniforms keep their names,
 * which the page uses. Saves every visitor 0.9 kB.
 */
function shortNames(shaders: string): Map<string, string> {
	const code = shaders.replace(/\/\/.*/g, "");
	const page = new Set(
		[...code.matchAll(/\b(?:attribute|uniform) \w+ (\w+)/g)].map(([, name]) => name),
	);
	const declared = code.matchAll(/\b(?:void|bool|float|[bim]?vec[234]|mat[234]) (\w+)/g);
	const names = new Set([...declared].map(([, name]) => name!));
	const uses = new Map([...names].map((name) => [name, 0]));
	for (const [name] of code.matchAll(/(?<![.\w])[a-z_]\w*/gi)) {
		if (uses.has(name)) uses.set(name, uses.get(name)! + 1);
	}
	const own = [...names].filter((name) => name !== "main" && !page.has(name));
	// The most used names get the shortest.
	own.sort((a, b) => uses.get(b)! - uses.get(a)!);
	const letters = [...LETTERS].filter((letter) => !page.has(letter));
	const round = (i: number) => Math.floor(i / letters.length) || "";
	return new Map(own.map((name, i) => [name, `${letters[i % letters.length]}${round(i)}`]));
}

/** a to z, A to Z, then a1 to Z1 and so on: never a GLSL keyword. */
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Preprocessor directives need separate lines. */
function shorten(shader: string, short: Map<string, string>): string {
	const parts = shader.split(/^\s*(#.*)$/m);
	return parts
		.map((part) => (part.startsWith("#") ? part : shortenCode(part, short)))
		.filter((part) => part !== "")
		.join("\n");
}

function shortenCode(code: string, short: Map<string, string>): string {
	return (
		code
			.replace(/\/\/.*/g, "")
			// After a point comes a vector component.
			.replace(/(?<![.\w])[a-z_]\w*/gi, (name) => short.get(name) ?? name)
			// Further digits move no sprite by a tenth of a px: see picture.test.ts.
			.replace(/\d+\.\d{6,}/g, (number) => Number(number).toPrecision(6))
			.replace(/\s+/g, " ")
			.replace(/ ?(&&|\|\||[+-]=|[=*/,;{}()<>?:]) ?/g, "$1")
			// Two signs in a row would become another operator: a - -b.
			.replace(/ ?([+-]) (?![+-])/g, "$1")
			// 0.50 is .5, and 1.0 is 1.
			.replace(/\b\d+\.\d+\b/g, (number) => number.replace(/0+$/, "").replace(/^0(?=\.\d)/, ""))
			.trim()
	);
}
