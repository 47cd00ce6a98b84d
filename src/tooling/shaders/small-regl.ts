import type { Regl } from "regl";

/** The part of regl that the page needs: programs, typed-array buffers and one texture. */
export function smallRegl(procedures: Record<string, Procedure>) {
	return ({ gl }: { gl: WebGLRenderingContext }): Regl => {
		const deletions: (() => void)[] = [];
		// Buffer and layout of each vertex attribute, shared by all commands.
		const attributes = Array.from({ length: LEAST_ATTRIBUTES }, () => ({
			...{ type: 0, size: 0, buffer: undefined, normalized: false, offset: 0, stride: 0 },
		}));

		function createBuffer(target: number, data: ArrayBufferView) {
			const buffer = gl.createBuffer();
			deletions.push(() => gl.deleteBuffer(buffer));
			gl.bindBuffer(target, buffer);
			gl.bufferData(target, data, gl.DYNAMIC_DRAW);
			return {
				buffer,
				// Procedures read these fields of regl's element buffers.
				primType: gl.TRIANGLES,
				type: gl.UNSIGNED_SHORT,
				subdata(part: ArrayBufferView, offset = 0) {
					gl.bindBuffer(target, buffer);
					gl.bufferSubData(target, offset, part);
				},
			};
		}

		function link({ vert, frag }: Command): WebGLProgram {
			const program = gl.createProgram();
			deletions.push(() => gl.deleteProgram(program));
			for (const [type, source] of [
				[gl.VERTEX_SHADER, vert],
				[gl.FRAGMENT_SHADER, frag],
			] as const) {
				const shader = gl.createShader(type)!;
				gl.shaderSource(shader, source);
				gl.compileShader(shader);
				gl.attachShader(program, shader);
				// WebGL keeps the shader until the program is deleted.
				gl.deleteShader(shader);
			}
			gl.linkProgram(program);
			if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
				throw new Error(`A shader does not compile: ${gl.getProgramInfoLog(program)}`);
			}
			return program;
		}

		function regl(command: Command) {
			const procedure = procedures[commandName(command)];
			if (!procedure) throw new Error("regl: this command was not compiled at build time");
			const program = link(command);
			const inputs: Record<string, Input> = {};
			for (const name in command.attributes) {
				inputs[name] = { location: gl.getAttribLocation(program, name) };
			}
			for (const name in command.uniforms) {
				inputs[name] = { location: gl.getUniformLocation(program, name), sent: undefined };
			}
			return procedure(gl, attributes, { program }, inputs, command);
		}

		return Object.assign(regl, {
			prop() {},
			buffer: ({ data }: Data) => createBuffer(gl.ARRAY_BUFFER, data),
			// The only element buffer, so it stays bound.
			elements: ({ data }: Data) => createBuffer(gl.ELEMENT_ARRAY_BUFFER, data),
			// The only texture, so it stays bound to unit 0, from which samplers read by default.
			texture() {
				const texture = gl.createTexture();
				deletions.push(() => gl.deleteTexture(texture));
				gl.bindTexture(gl.TEXTURE_2D, texture);
			},
			poll: () => gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight),
			destroy() {
				for (const remove of deletions) remove();
			},
		}) as unknown as Regl;
	};
}

interface Data {
	data: ArrayBufferView;
}

export interface Command {
	vert: string;
	frag: string;
	attributes: Record<string, { buffer: { _buffer?: object } }>;
	elements: { _elements?: object };
	uniforms: Record<string, unknown>;
}

/** Names a command by its attributes: commands with the same attributes share a procedure, whatever their shaders. */
export const commandName = ({ attributes }: Command) => Object.keys(attributes).join(" ");

/** An attribute or a uniform of a program. */
interface Input {
	location: unknown;
	/** The last uploaded object. */
	sent?: object | undefined;
}

/** Compiled by regl: returns the command's draw function. */
type Procedure = (
	gl: WebGLRenderingContext,
	attributes: object[],
	program: { program: WebGLProgram },
	inputs: Record<string, Input>,
	command: Command,
) => (props: object) => void;

/** The minimum that WebGL 1 guarantees. */
const LEAST_ATTRIBUTES = 8;
