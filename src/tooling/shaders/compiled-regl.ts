import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Plugin, runnerImport } from "vite";
import type * as commands from "../../../engine/render/gl/commands.ts";
import type { Colors } from "../../../engine/render/theme.ts";
import { createStubGl } from "./stub-gl.ts";

const reglFile = createRequire(import.meta.url).resolve("regl/dist/regl.unchecked.js");

type Patch = [from: string, to: string];

/**
 * regl is a compiler: it generates a procedure per command, compiled with `Function`. A strict
 * content security policy forbids that (regl#491), and half of regl is that compiler. So it runs at
 * build time: this plugin creates the engine's commands on a WebGL stub, and ships the generated
 * procedures as ordinary functions, with regl's program code. The engine has three typed-array
 * buffers and one texture: the rest of regl, which accepts arrays of every kind, shrinks to a few
 * lines.
 *
 *     build    commands.ts ─► regl's compiler, on a stub of WebGL ─► procedures by their names
 *     browser  commands.ts ─► buffers, texture, regl's programs ──► procedures, bound to these
 *
 * regl's output depends on the device only in the order of attributes and uniforms, and so in the
 * numbers in their names.
 */
const alikeEverywhere: Patch[] = [
	[
		"info = gl.getActiveUniform(program, i)",
		"info = sortedInfo(numUniforms, function (j) { return gl.getActiveUniform(program, j) })[i]",
	],
	[
		"info = gl.getActiveAttrib(program, i)",
		"info = sortedInfo(numAttributes, function (j) { return gl.getActiveAttrib(program, j) })[i]",
	],
];

/** Omitted from the procedures. */
const leaner: Patch[] = [
	["var limits = wrapLimits(gl, extensions)", "var limits = leastLimits"],
	// Commands are drawn one at a time: no batches, no scopes.
	["    emitScopeProc(env, args)", ""],
	["    emitBatchProc(env, args)", ""],
	// Everything is drawn to the canvas, the renderer sets all state by hand, and nothing is
	// profiled.
	["    emitPollFramebuffer(env, draw, args.framebuffer)", ""],
	["    emitPollState(env, draw, args)", ""],
	["    emitProfile(env, draw, args, false, true)", ""],
	// A vec4 is a block: an array, sent in one call. Quiet zones change rarely: they are sent when the
	// object changes.
	[
		`          infix = '4f'
          unroll = 4`,
		"          infix = '4fv'",
	],
	[
		"        scope(GL, '.uniform', infix, '(', LOCATION, ',', VALUE, ');')",
		`        if (name === 'u_zones') scope('if(', UNIFORM, '.sent!==', VALUE, ')', UNIFORM, '.sent=', VALUE, ',')
        scope(GL, '.uniform', infix, '(', LOCATION, ',', VALUE, ');')`,
	],
	// regl binds elements, program and texture for every command, even if already bound. Nothing else
	// binds any of them after the first frame.
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
	[
		`            scope(GL, '.uniform1i(', LOCATION, ',', TEX_VALUE + '.bind());')
            scope.exit(TEX_VALUE, '.unbind();')
          } else`,
		`            scope('if(!', UNIFORM, '.bound){', UNIFORM, '.bound=true;',
              GL, '.uniform1i(', LOCATION, ',', TEX_VALUE + '.bind());}')
          } else`,
	],
	// Recorded as it is compiled.
	[
		"    var compiled = core.compile(",
		"    currentOptions = options\n    var compiled = core.compile(",
	],
	[
		"    var proc = Function.apply(null, linkedNames.concat(src))",
		"    record(linkedNames, linkedValues, src)\n    var proc = Function.apply(null, linkedNames.concat(src))",
	],
];

/** Unused parts of the shipped code: the minifier drops what nothing references. */
const leftOut: Patch[] = [
	// The engine creates a new regl after a lost context, and never replaces a program.
	["    restore: restoreShaders,", ""],
	["      return extend(program, {", "      return program; extend(program, {"],
];

/** Repeated patterns: format sizes for profiling, which is unused. */
const leftOutEach: [from: RegExp, to: string][] = [
	[/^\w*(?:sizes|channels)\w*\[[\w$]+\] =\s(?:[\w$]+\[[\w$]+\] =\s)*.*$/gim, ""],
	[/config\.profile/g, "false"],
];

/** The limits the engine needs; WebGL 1 guarantees as much everywhere. */
const both = `
var leastLimits = { maxAttributes: 8, maxTextureUnits: 8, maxDrawbuffers: 1, maxColorAttachments: 1 }
function sortedInfo (count, infoAt) {
  var infos = []
  for (var i = 0; i < count; ++i) {
    var info = infoAt(i)
    // An array is one uniform, not one per element.
    infos.push({ name: info.name.replace('[0]', ''), type: info.type, size: 1 })
  }
  return infos.sort(function (a, b) { return a.name < b.name ? -1 : 1 })
}
// Identifies a command by the names of its attributes and uniforms.
function nameOf (options) {
  return [options.attributes, options.uniforms].map(Object.keys).join(';')
}
`;

/** Records each command's procedure, with the path to each linked object. */
const recorder = `
var currentOptions
function record (names, values, source) {
  if (!globalThis.reglProcedures || !currentOptions || !currentOptions.attributes) return
  var program = values.find(function (value) { return value.program && value.attributes })
  var links = names.map(function (name, i) {
    return name + '=' + wayTo(values[i], [['shared', values[0]], ['program', program], ['options', currentOptions]]) + ';'
  })
  globalThis.reglProcedures[nameOf(currentOptions)] =
    'function (shared, program, options) {var ' + names + ';' + links.join('') + source + '}'
}
// Breadth-first search finds the shortest path. There is none to a command's stats, which are
// unused.
function wayTo (value, ways) {
  for (var i = 0; i < 999 && i < ways.length; ++i) {
    var way = ways[i]
    if (way[1] === value) return way[0]
    if (way[0] === 'shared' || typeof way[1] === 'string') continue
    Object.keys(Object(way[1])).forEach(function (key) {
      ways.push([way[0] + '[' + JSON.stringify(key) + ']', way[1][key]])
    })
  }
}
`;

/** Replaces regl's final part, because no command is compiled at run time. */
const shipped = `
function wrapREGL (args) {
  var gl = args.gl
  var counts = stats()
  var none = {}
  var strings = createStringStore()
  var programs = wrapShaderState(gl, strings, counts, none)
  var attributes = loop(leastLimits.maxAttributes, function () { return new AttributeRecord() })
  var shared = { gl: gl, attributes: attributes, current: {} }
  var buffers = []
  var atlas
  function made (target, data) {
    var buffer = gl.createBuffer()
    buffers.push(buffer)
    gl.bindBuffer(target, buffer)
    gl.bufferData(target, data, gl.DYNAMIC_DRAW)
    return {
      _buffer: { buffer: buffer },
      _elements: { buffer: { buffer: buffer }, primType: gl.TRIANGLES, type: gl.UNSIGNED_SHORT },
      subdata: function (data, offset) {
        gl.bindBuffer(target, buffer)
        gl.bufferSubData(target, offset || 0, data)
      }
    }
  }
  function regl (options) {
    var procedure = procedures[nameOf(options)]
    if (!procedure) throw new Error('regl: this command was not compiled at build time')
    var program = programs.program(strings.id(options.vert), strings.id(options.frag))
    return procedure(shared, program, options).draw
  }
  return extend(regl, {
    prop: function () {},
    buffer: function (options) { return made(gl.ARRAY_BUFFER, options.data) },
    elements: function (options) { return made(gl.ELEMENT_ARRAY_BUFFER, options.data) },
    // The only texture, at unit 0: the renderer paints it and sets its sampling.
    texture: function () {
      atlas = gl.createTexture()
      return { _texture: { bind: function () { gl.bindTexture(gl.TEXTURE_2D, atlas); return 0 } } }
    },
    poll: function () { gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight) },
    destroy: function () {
      programs.clear()
      buffers.forEach(function (buffer) { gl.deleteBuffer(buffer) })
      gl.deleteTexture(atlas)
    }
  })
}
`;

/** Patches regl's source. @throws Error if its text differs from what the patches expect */
async function patchedRegl(patches: readonly Patch[]): Promise<string> {
	const source = await readFile(reglFile, "utf8");
	return (
		both +
		[...alikeEverywhere, ...patches].reduce((code, [from, to]) => {
			if (code.split(from).length !== 2) {
				throw new Error(`regl has changed: "${from}" is not found exactly once. Adapt its patch.`);
			}
			return code.replace(from, () => to);
		}, source)
	);
}

/**
 * Drops a procedure's unused definitions: regl emits the same set for all.
 * @throws Error if it uses an object without a known path
 */
function shortened(name: string, procedure: string): string {
	const lean = procedure
		.replace(/v\d+\.setVAO\(null\);/g, "")
		.replace(/\b([gv]\d+)=[^;]*;/g, (definition, variable) => {
			// Twice in total: declared and defined.
			return procedure.split(new RegExp(`\\b${variable}\\b`)).length > 3 ? definition : "";
		});
	if (lean !== procedure) return shortened(name, lean);
	if (lean.includes("=undefined;")) {
		throw new Error(`regl links "${name}" to an unknown object.`);
	}
	return lean;
}

/**
 * Substitutes a regl that still compiles, for development, and records the procedures in
 * `globalThis.reglProcedures` if that exists.
 */
export function recordingRegl(): Plugin {
	const name = "\0recording-regl";
	return {
		name: "recording-regl",
		enforce: "pre",
		resolveId: (id) => (id === "regl" ? name : undefined),
		load: async (id) =>
			id === name
				? `const module = { exports: {} }; const exports = module.exports;
					${recorder}${await patchedRegl(leaner)}
					export default module.exports;`
				: undefined,
	};
}

/** Source of each engine command's procedure, by command name. */
export async function compileProcedures(): Promise<Record<string, string>> {
	const reglProcedures: Record<string, string> = {};
	Object.assign(globalThis, { reglProcedures });
	const { module } = await runnerImport<typeof commands>(
		join(import.meta.dirname, "../../../engine/render/gl/commands.ts"),
		{
			configFile: false,
			logLevel: "error",
			plugins: [recordingRegl()],
			environments: { inline: { resolve: { noExternal: ["regl"] } } },
		},
	);
	module.createCommands(createStubGl(), {
		vertices: new Float32Array(1),
		asides: new Float32Array(1),
		triangles: new Uint16Array(3),
		// Procedures do not depend on colors, which are shader constants.
		colors: {} as Colors,
	});
	return reglProcedures;
}

/** Shared by all bundles of a build, which run in parallel. */
let compiled: Promise<Record<string, string>> | undefined;

/** Adds regl with its compiled procedures to the build; the worker's bundle needs the plugin, too. */
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
				([name, procedure]) => `${JSON.stringify(name)}: ${shortened(name, procedure)}`,
			);
			const regl = leftOutEach.reduce(
				(code, [from, to]) => {
					const left = code.replace(from, to);
					if (left === code)
						throw new Error(`regl has changed: ${from} is not found. Adapt its patch.`);
					return left;
				},
				await patchedRegl(leftOut),
			);
			const start = regl.indexOf("function wrapREGL (args) {");
			const end = regl.indexOf("return wrapREGL;");
			if (start < 0 || end < 0) throw new Error("regl has changed: wrapREGL is not found.");
			return `var procedures = {${table.join(",\n")}};
				${regl.slice(0, start)}${shipped}${regl.slice(end)}`;
		},
	};
}
