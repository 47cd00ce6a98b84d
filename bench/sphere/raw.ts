import { hemisphere } from "../../engine/render/hemisphere.ts";
import { sphereFragment, sphereVertex } from "../../engine/render/sphere.glsl.ts";
import { type CreateSphere, viewMatrix } from "./subject.ts";

/** As little as WebGL asks for: the floor. */
export const createSphere: CreateSphere = (gl) => {
	const program = gl.createProgram();
	for (const [type, source] of [
		[gl.VERTEX_SHADER, sphereVertex],
		[gl.FRAGMENT_SHADER, sphereFragment],
	] as const) {
		const shader = gl.createShader(type)!;
		gl.shaderSource(shader, source);
		gl.compileShader(shader);
		gl.attachShader(program, shader);
	}
	gl.linkProgram(program);
	const { positions, fine } = hemisphere();
	gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
	gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(positions), gl.STATIC_DRAW);
	gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
	gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(fine), gl.STATIC_DRAW);
	const position = gl.getAttribLocation(program, "position");
	gl.enableVertexAttribArray(position);
	gl.vertexAttribPointer(position, 3, gl.FLOAT, false, 0, 0);
	gl.enable(gl.CULL_FACE);
	gl.useProgram(program);
	const place = gl.getUniformLocation(program, "view");
	const view = viewMatrix(gl.canvas.width, gl.canvas.height);
	return {
		draw(phase) {
			view[2] = phase;
			gl.clear(gl.COLOR_BUFFER_BIT);
			gl.uniformMatrix4fv(place, false, view);
			gl.drawElements(gl.TRIANGLES, fine.length, gl.UNSIGNED_SHORT, 0);
		},
	};
};
