/**
 * Never more than one unfinished frame on the GPU.
 *
 * A worker that draws at every frame of the display queues pictures ahead of the page's own paint
 * when the GPU is slow: measured on a machine without one, clicks then show 1 to 5 seconds late,
 * and 30 to 70 ms late with one picture at a time. Drawing half as often does not help.
 */
export interface Pace {
	/** Whether it can tell that the GPU is busy. If not, `isFree` always says yes. */
	readonly fenced: boolean;
	/** Whether the GPU has finished the last picture. Asks, and never waits. */
	isFree(): boolean;
	/** A picture has been drawn. */
	mark(): void;
	/** What was drawn is lost with its context. */
	forget(): void;
}

/** How the GPU's work on a picture is known to be done, best first. */
export function createPace(gl: WebGL2RenderingContext | WebGLRenderingContext): Pace {
	if ("fenceSync" in gl) return createFencePace(gl);
	// A worker may wait: nobody's clicks are handled there.
	if (typeof document === "undefined") return createReadingPace(gl);
	return unpaced;
}

/** WebGL 2: a fence behind each picture, looked at when the next one is due. */
function createFencePace(gl: WebGL2RenderingContext): Pace {
	let fence: WebGLSync | null = null;
	return {
		fenced: true,
		isFree() {
			if (fence === null) return true;
			if (gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.UNSIGNALED) return false;
			gl.deleteSync(fence);
			fence = null;
			return true;
		},
		mark() {
			fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
			// A fence that is not sent off may never pass (OpenGL ES 3.0, section 5.2).
			gl.flush();
		},
		forget() {
			fence = null;
		},
	};
}

/**
 * WebGL 1 in a worker: reading one pixel returns when the picture is done. It is the only wait that
 * WebGL 1 has; `finish` returns at once in Chromium (measured: 0.1 ms, with 22 ms still owed).
 */
function createReadingPace(gl: WebGLRenderingContext): Pace {
	const pixel = new Uint8Array(4);
	return {
		...unpaced,
		mark() {
			gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
		},
	};
}

/**
 * Nothing to ask, and no place to wait: WebGL 1 on the page's thread, where reading a pixel would
 * hold up clicks for as long as the GPU draws, and 2D canvas, which is done when its calls return.
 * Such a page draws through the browser's own queue, which is short on its own thread (measured:
 * clicks at 150 ms, against 60 with a fence), and quality lowers the cost of each picture.
 */
export const unpaced: Pace = {
	fenced: false,
	isFree: () => true,
	mark() {},
	forget() {},
};
