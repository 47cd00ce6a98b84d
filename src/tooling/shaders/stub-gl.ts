/**
 * For machines without WebGL: covers what regl queries before drawing. Objects are empty; active
 * attributes and uniforms are read from the shaders' text.
 */
export function createStubGl(): WebGLRenderingContext {
	const sources = new WeakMap<object, string>();
	const shaders = new WeakMap<object, object[]>();
	const declared = (program: object, word: "attribute" | "uniform") =>
		(shaders.get(program) ?? [])
			.map((shader) => sources.get(shader) ?? "")
			.flatMap((source) => [
				...source.matchAll(/\b(attribute|uniform)\s+(\w+)\s+(\w+)(?:\[\d+\])?\s*;/g),
			])
			.filter(([, found]) => found === word)
			.map(([, , type = "", name = ""]) => ({ name, type: glTypes[type] ?? fail(type), size: 1 }));

	const methods: Record<string, (...values: never[]) => unknown> = {
		getContextAttributes: () => ({ alpha: true, depth: false, stencil: false, antialias: false }),
		getExtension: () => null,
		getError: () => 0,
		isContextLost: () => false,
		checkFramebufferStatus: () => FRAMEBUFFER_COMPLETE,
		shaderSource: (shader: object, source: string) => void sources.set(shader, source),
		attachShader: (program: object, shader: object) =>
			void shaders.set(program, [...(shaders.get(program) ?? []), shader]),
		getShaderParameter: () => true,
		getProgramParameter: (program: object, name: number) => {
			if (name === ACTIVE_UNIFORMS) return declared(program, "uniform").length;
			if (name === ACTIVE_ATTRIBUTES) return declared(program, "attribute").length;
			return true;
		},
		getActiveUniform: (program: object, index: number) => declared(program, "uniform")[index],
		getActiveAttrib: (program: object, index: number) => declared(program, "attribute")[index],
		getAttribLocation: (program: object, name: string) =>
			declared(program, "attribute").findIndex((attribute) => attribute.name === name),
	};
	const values: Record<string, unknown> = {
		canvas: { width: 1, height: 1, addEventListener() {} },
		drawingBufferWidth: 1,
		drawingBufferHeight: 1,
	};
	return new Proxy({} as WebGLRenderingContext, {
		// Other methods, such as createBuffer, return an empty object.
		get: (_, name: string) => values[name] ?? methods[name] ?? (() => ({})),
	});
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
