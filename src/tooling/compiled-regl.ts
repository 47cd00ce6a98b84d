import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Plugin, runnerImport } from "vite";
import type * as commands from "../../engine/render/commands.ts";
import { createStubGl } from "./stub-gl.ts";

const reglFile = createRequire(import.meta.url).resolve("regl/dist/regl.unchecked.js");

/**
 * regl writes a procedure for each command and compiles it with `Function`, which a strict content
 * security policy forbids (regl#491). This plugin runs the engine's commands at build time on a
 * stub of WebGL, and ships what regl wrote as ordinary functions, looked up by a hash of their
 * source.
 *
 * What regl writes depends on the device in three places, which the patches make alike everywhere:
 * how many attributes there can be, the order in which attributes and uniforms are found, and with
 * it the numbers in their names.
 */
const patches: [from: string, to: string][] = [
	// The least that WebGL 1 has, instead of 28 questions that the GPU answers one by one. The engine
	// uses five attributes and one texture.
	[
		"var limits = wrapLimits(gl, extensions)",
		"var limits = { maxAttributes: 8, maxTextureUnits: 8, maxDrawbuffers: 1, maxColorAttachments: 1 }",
	],
	["gl.getParameter(GL_COMPRESSED_TEXTURE_FORMATS))", "[])"],
	[
		"info = gl.getActiveUniform(program, i)",
		"info = sortedInfo(numUniforms, function (j) { return gl.getActiveUniform(program, j) })[i]",
	],
	[
		"info = gl.getActiveAttrib(program, i)",
		"info = sortedInfo(numAttributes, function (j) { return gl.getActiveAttrib(program, j) })[i]",
	],
	["Function.apply(null, linkedNames.concat(src))", "procedureOf(linkedNames, src)"],
];

/**
 * Cuts off what this site never uses, so that the minifier drops it: a third of regl and four
 * fifths of the compiled procedures, 15 kB of brotli.
 */
const leftOut: [from: string, to: string][] = [
	// Commands are drawn one at a time: no batches, no scopes.
	["    emitScopeProc(env, args)", ""],
	["    emitBatchProc(env, args)", ""],
	["    draw: compileProcedure({}),", ""],
	// The renderer sets all state by `poll`, at each new size, and times nothing.
	["    emitPollFramebuffer(env, draw, args.framebuffer)", ""],
	["    emitPollState(env, draw, args)", ""],
	["    emitProfile(env, draw, args, false, true)", ""],
	["createCube: createTextureCube,", ""],
	// Everything is drawn to the canvas.
	["= framebufferState.setFBO = compileProcedure({", "= ({"],
	["var framebufferState = wrapFBOState(", "var framebufferState = drawToCanvas("],
	["var renderbufferState = wrapRenderbuffers(", "var renderbufferState = drawToCanvas("],
	["var readPixels = wrapReadPixels(", "var readPixels = nothing("],
	["var timer = createTimer(gl, extensions)", "var timer = null"],
	// The context is always given.
	[
		"var config = parseArgs(args)",
		"var config = { gl: args.gl, extensions: [], optionalExtensions: [], pixelRatio: 1, profile: false, onDone: nothing, onDestroy: nothing }",
	],
];

/**
 * regl binds elements and program for every command, even those that are bound already. Nothing
 * else binds either once the first frame is drawn.
 */
const boundOnce: [from: string, to: string][] = [
	[
		`'if(' + ELEMENTS + ')' +
            GL + '.bindBuffer(' + GL_ELEMENT_ARRAY_BUFFER$2 + ',' + ELEMENTS + '.buffer.buffer);')`,
		`'if(' + shared.current + '.elements!==' + ELEMENTS + '){' +
            shared.current + '.elements=' + ELEMENTS + ';' +
            GL + '.bindBuffer(' + GL_ELEMENT_ARRAY_BUFFER$2 + ',' + ELEMENTS + '.buffer.buffer);}')`,
	],
	[
		"draw(env.shared.gl, '.useProgram(', program, '.program);')",
		`draw('if(', env.shared.current, '.program!==', program, '){',
      env.shared.current, '.program=', program, ';',
      env.shared.gl, '.useProgram(', program, '.program);}')`,
	],
];

const additions = `
function sortedInfo (count, infoAt) {
  var infos = []
  for (var i = 0; i < count; ++i) infos.push(infoAt(i))
  return infos.sort(function (a, b) { return a.name < b.name ? -1 : 1 })
}
function nothing () { return null }
function drawToCanvas () {
  return { next: null, cur: null, dirty: false, clear: nothing, restore: nothing, getFramebuffer: nothing }
}
// cyrb53: 53 bits of a string.
function hashOf (text) {
  var a = 0xdeadbeef, b = 0x41c6ce57
  for (var i = 0; i < text.length; ++i) {
    var code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36)
}
`;

const lookUp = `
function procedureOf (names, source) {
  var procedure = procedures[hashOf(names + source)]
  if (!procedure) throw new Error('regl: this procedure was not compiled at build time')
  return procedure
}
`;

const record = `
function procedureOf (names, source) {
  globalThis.reglProcedures[hashOf(names + source)] = 'function (' + names + ') {' + source + '}'
  return Function.apply(null, names.concat(source))
}
`;

/** regl's own source with the patches; `rest` defines `procedureOf`. */
async function patchedRegl(rest: string): Promise<string> {
	const source = await readFile(reglFile, "utf8");
	const patched = [...patches, ...leftOut, ...boundOnce].reduce((code, [from, to]) => {
		if (code.split(from).length !== 2) {
			throw new Error(`regl has changed: "${from}" is not found exactly once. Adapt its patch.`);
		}
		return code.replace(from, () => to);
	}, source);
	return additions + rest + patched;
}

/** Puts a regl in place that still compiles, and records what in `globalThis.reglProcedures`. */
export function recordingRegl(): Plugin {
	const name = "\0recording-regl";
	return {
		name: "recording-regl",
		enforce: "pre",
		resolveId: (id) => (id === "regl" ? name : undefined),
		load: async (id) =>
			id === name
				? `const module = { exports: {} }; const exports = module.exports;
					${await patchedRegl(record)}
					export default module.exports;`
				: undefined,
	};
}

/** Source text of every procedure that the engine's commands need, by its hash. */
export async function compileProcedures(): Promise<Record<string, string>> {
	const reglProcedures: Record<string, string> = {};
	Object.assign(globalThis, { reglProcedures });
	const { module } = await runnerImport<typeof commands>(
		join(import.meta.dirname, "../../engine/render/commands.ts"),
		{
			configFile: false,
			logLevel: "error",
			plugins: [recordingRegl()],
			environments: { inline: { resolve: { noExternal: ["regl"] } } },
		},
	);
	module.createCommands(createStubGl(), {
		vertices: new Float32Array(1),
		triangles: new Uint16Array(3),
	});
	return reglProcedures;
}

/** One result for all bundles of a build, which run side by side. */
let compiled: Promise<Record<string, string>> | undefined;

/**
 * Puts regl with its compiled procedures into the build; the worker's bundle needs the plugin, too.
 */
export function compiledRegl(): Plugin {
	return {
		name: "compiled-regl",
		enforce: "pre",
		apply: "build",
		resolveId: (id) => (id === "regl" ? reglFile : undefined),
		load: async (id) => {
			if (id !== reglFile) return;
			compiled ??= compileProcedures();
			const table = Object.entries(await compiled).map(
				([hash, source]) => `${JSON.stringify(hash)}: ${source}`,
			);
			return patchedRegl(`var procedures = {${table.join(",\n")}};\n${lookUp}`);
		},
	};
}
