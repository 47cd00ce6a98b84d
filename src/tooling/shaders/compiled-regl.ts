import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Plugin, runnerImport } from "vite";
import type * as commands from "../../../engine/render/gl/commands.ts";
import type { Colors } from "../../../engine/render/theme.ts";
import { type Command, commandName } from "./small-regl.ts";
import { createStubGl } from "./stub-gl.ts";

const reglFile = createRequire(import.meta.url).resolve("regl/dist/regl.unchecked.js");
const commandsFile = join(import.meta.dirname, "../../../engine/render/gl/commands.ts");
const smallReglFile = join(import.meta.dirname, "small-regl.ts");

/**
 * regl is a compiler: it generates a procedure per command, compiled with `Function`. A strict content security
 * policy forbids that (regl#491), and the compiler is most of regl. So regl runs at build time, with a
 * `Function` that records its calls, and the page gets the generated procedures.
 *
 *     build    commands.ts ─► regl, on a stub of WebGL ─► procedures
 *     browser  commands.ts ─► small-regl.ts ─► procedures, with their buffers and programs
 */
export function compiledRegl(): Plugin {
	const name = "\0compiled-regl";
	return {
		name: "compiled-regl",
		enforce: "pre",
		resolveId: (id) => (id === "regl" ? name : undefined),
		async load(id) {
			if (id !== name) return;
			const { procedures, sources } = await compileProcedures();
			for (const source of sources) this.addWatchFile(source);
			return `import { smallRegl } from ${JSON.stringify(smallReglFile)};
				export default smallRegl({ ${procedures.join()} });`;
		},
	};
}

/** A function that regl compiled, and the objects it uses. */
interface Compiled {
	command: Command;
	names: string[];
	values: Linked[];
	source: string;
}

type Linked = object & { name?: string; program?: WebGLProgram };

/** regl, with a `Function` that records what regl compiles. */
const recordingRegl = async () => `
	const compiled = [];
	let command;
	const Function = {
		apply: (_, names) => ({
			apply(_, values) {
				const source = names.at(-1);
				if (command) compiled.push({ command, names: names.slice(0, -1), values, source });
				return new globalThis.Function(...names)(...values);
			},
		}),
	};
	const exports = {};
	const module = { exports };
	${await readFile(reglFile, "utf8")}
	export default (settings) => {
		const regl = module.exports(settings);
		const record = (options) => regl((command = options));
		return Object.assign(record, regl, { compiled });
	};`;

/** Compiles all commands of commands.ts, without a browser. */
async function compileProcedures(): Promise<{ procedures: string[]; sources: string[] }> {
	const name = "\0recording-regl";
	const { module, dependencies } = await runnerImport<typeof commands>(commandsFile, {
		configFile: false,
		logLevel: "error",
		plugins: [
			{
				name: "recording-regl",
				enforce: "pre",
				resolveId: (id) => (id === "regl" ? name : undefined),
				load: (id) => (id === name ? recordingRegl() : undefined),
			},
		],
		environments: { inline: { resolve: { noExternal: ["regl"] } } },
	});
	const { regl } = module.createDrawCommands(createStubGl(), {
		vertices: new Float32Array(1),
		floatOffsets: new Float32Array(1),
		triangles: new Uint16Array(3),
		// Colors do not matter here: they are constants of the shaders.
		colors: {} as Colors,
	});
	const { compiled } = regl as unknown as { compiled: Compiled[] };
	const sources = dependencies.filter((file) => file.startsWith("/"));
	return { procedures: [...new Set(compiled.map(procedureOf))], sources };
}

/** The source text of a `Procedure` of small-regl.ts, as an object property. */
function procedureOf({ command, names, values, source }: Compiled): string {
	const body = drawingIn(source);
	const shared = Array.from(
		source.matchAll(/^(v\d+)=g\d+\.(gl|attributes);$/gm),
		([, name, part]) => `${name} = ${part}`,
	);
	const linked = names.flatMap((name, i) =>
		new RegExp(`\\b${name}\\b`).test(body) ? `${name} = ${pathTo(values[i]!, command)}` : [],
	);
	const locals = new Set(body.match(/\bv\d+(?==[^=])/g));
	return `"${commandName(command)}": (gl, attributes, program, inputs, command) => {
		const ${[...shared, ...linked].join()};
		return (a0) => { let ${[...locals].join()}; ${body} };
	}`;
}

/**
 * Removes state changes from a draw function: the engine sets all state itself, and its texture and
 * element buffer stay bound.
 */
function drawingIn(source: string): string {
	const [, body] = /"draw":[\s\S]*?(v\d+\.useProgram[\s\S]*?drawElements.*\n)/.exec(source) ?? [];
	if (!body) throw new Error("regl has changed: its draw function has another form.");
	return `${body}}`
		.replace(/v\d+\.setVAO\(null\);/g, "")
		.replace(/v\d+\.uniform1i\(.*\.bind\(\)\);/, "")
		.replace(/if\(g\d+\)v\d+\.bindBuffer\(34963,.*\);/, "")
		.replace(
			/(v\d+)(=.*;\n)(?:v\d+=\1\[\d\];\n)+(v\d+)\.uniform4f\((g\d+\.location),.*\);/g,
			"$1$2$3.uniform4fv($4,$1);",
		)
		.replace(
			// Quiet zones change rarely, so they are only sent when their object changes.
			/(v\d+)(=a0\["zones"\];\n)(.*uniform4fv\((g\d+).*)/,
			"$1$2if($4.sent!==$1){$4.sent=$1;$3}",
		);
}

/** @throws Error if a procedure uses an object that the page does not have */
function pathTo(value: Linked, { attributes, elements }: Command): string {
	if (value.name) return `inputs.${value.name}`;
	if (value.program) return "program";
	if (value === elements._elements) return "command.elements";
	const name = Object.keys(attributes).find((name) => attributes[name]!.buffer._buffer === value);
	if (name) return `command.attributes.${name}.buffer`;
	throw new Error("regl links a procedure to an unknown object.");
}
