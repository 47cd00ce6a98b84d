/**
 * So that the player skips no frame of a schedule: a real fence never passes within one task (WebGL
 * 2.0, section 3.7.14).
 */
export function passFences(gl: WebGL2RenderingContext): WebGL2RenderingContext {
	const getSyncParameter = gl.getSyncParameter.bind(gl);
	return Object.assign(gl, {
		getSyncParameter: (fence: WebGLSync, name: number) => {
			getSyncParameter(fence, name);
			return gl.SIGNALED;
		},
	});
}

/**
 * Draws one triangle per call, to time the calling thread instead of the software GPU. Every call
 * still reaches WebGL.
 */
export function drawOneTriangle(gl: WebGL2RenderingContext): WebGL2RenderingContext {
	const drawElements = gl.drawElements.bind(gl);
	const drawArrays = gl.drawArrays.bind(gl);
	return Object.assign(passFences(gl), {
		drawElements: (mode: number, count: number, type: number, offset: number) =>
			drawElements(mode, Math.min(count, 3), type, offset),
		drawArrays: (mode: number, first: number, count: number) =>
			drawArrays(mode, first, Math.min(count, 3)),
	});
}
