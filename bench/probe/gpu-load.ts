/** Unless `whole`, each call draws one triangle: times then exclude the GPU. */
export const gpuLoad = { whole: false };

/** Every call still reaches WebGL, with fewer vertices. */
export function limitVertices(gl: WebGL2RenderingContext): WebGL2RenderingContext {
	const drawElements = gl.drawElements.bind(gl);
	const drawArrays = gl.drawArrays.bind(gl);
	const getSyncParameter = gl.getSyncParameter.bind(gl);
	const most = (count: number) => (gpuLoad.whole ? count : Math.min(count, 3));
	return Object.assign(gl, {
		drawElements: (mode: number, count: number, type: number, offset: number) =>
			drawElements(mode, most(count), type, offset),
		drawArrays: (mode: number, first: number, count: number) =>
			drawArrays(mode, first, most(count)),
		// A real fence never passes within one task (WebGL 2.0, section 3.7.14), so the player would
		// skip the frame.
		getSyncParameter: (fence: WebGLSync, name: number) => {
			getSyncParameter(fence, name);
			return gl.SIGNALED;
		},
	});
}
