/** A WebGL stub for build machines: covers what regl queries before drawing. */
export function createStubGl(): WebGLRenderingContext {
	const declared = ({ source = "" }: Sourced, word: "attribute" | "uniform") =>
		Array.from(
			source.matchAll(new RegExp(`\\b${word}\\s+(\\w+)\\s+(\\w+)(?:\\[\\d+\\])?\\s*;`, "g")),
			([, type = "", name = ""]) => ({ name, type: glTypes[type] ?? fail(type), size: 1 }),
		);

	const parts: Record<string, unknown> = {
		canvas: { width: 1, height: 1, addEventListener() {} },
		drawingBufferWidth: 1,
		drawingBufferHeight: 1,
		getContextAttributes: () => ({ alpha: true, depth: false, stencil: false, antialias: false }),
		getExtension: () => null,
		getError: () => 0,
		isContextLost: () => false,
		checkFramebufferStatus: () => FRAMEBUFFER_COMPLETE,
		shaderSource: (shader: Sourced, source: string) => void Object.assign(shader, { source }),
		attachShader: (program: Sourced, { source }: Sourced) =>
			void Object.assign(program, { source: `${program.source ?? ""}${source}` }),
		getShaderParameter: () => true,
		getProgramParameter: (program: Sourced, name: number) => {
			if (name === ACTIVE_UNIFORMS) return declared(program, "uniform").length;
			if (name === ACTIVE_ATTRIBUTES) return declared(program, "attribute").length;
			return true;
		},
		getActiveUniform: (program: Sourced, index: number) => declared(program, "uniform")[index],
		getActiveAttrib: (program: Sourced, index: number) => declared(program, "attribute")[index],
		getAttribLocation: (program: Sourced, name: string) =>
			declared(program, "attribute").findIndex((attribute) => attribute.name === name),
	};
	return new Proxy({} as WebGLRenderingContext, {
		// Other methods, such as createBuffer, return an empty object.
		get: (_, name: string) => parts[name] ?? (() => ({})),
	});
}

/** A shader, or a program with the text of its shaders. */
interface Sourced {
	source?: string;
}

const FRAMEBUFFER_COMPLETE = 0x8cd5;
const ACTIVE_UNIFORMS = 0x8b86;
const ACTIVE_ATTRIBUTES = 0x8b89;

/** WebGL's constants for the types in the engine's shaders. */
const glTypes: Record<string, number> = {
	float: 0x1406,
	vec2: 0x8b50,
	vec3: 0x8b51,
	vec4: 0x8b52,
	sampler2D: 0x8b5e,
};

function fail(type: string): never {
	throw new Error(
		`The stub of WebGL does not know the shader type ${type}: add its number to stub-gl.ts`,
	);
}
