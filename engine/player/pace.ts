/**
 * Allows one unfinished frame on the GPU at a time.
 *
 * Otherwise a worker on a slow GPU queues its frames ahead of the page's own paint. Without a GPU,
 * clicks then show after 1 to 5 s, and with this limit after 30 to 70 ms (measured).
 */
export interface Pace {
	/** Whether a new frame may be drawn; never blocks. Always true if GPU load is not observable. */
	pollFree(): boolean;
	mark(): void;
	forget(): void;
}

export function createPace(gl: WebGL2RenderingContext | WebGLRenderingContext): Pace {
	if ("fenceSync" in gl) return createFencePace(gl);
	// A worker may block: it handles no clicks.
	if (typeof document === "undefined") return createReadingPace(gl);
	return unlimitedPace;
}

/**
 * WebGL 2: checks the last frame's fence before drawing the next. The first check flushes, because
 * an unflushed fence may never pass in a hidden canvas (OpenGL ES 3.0, section 5.2).
 */
function createFencePace(gl: WebGL2RenderingContext): Pace {
	let fence: WebGLSync | null = null;
	let sent = false;
	return {
		pollFree() {
			if (fence === null) return true;
			if (gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.UNSIGNALED) {
				if (!sent) gl.flush();
				sent = true;
				return false;
			}
			gl.deleteSync(fence);
			fence = null;
			return true;
		},
		mark() {
			fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
			sent = false;
		},
		forget() {
			fence = null;
		},
	};
}

/**
 * WebGL 1 in a worker: reading a pixel waits for the frame. `gl.finish` does not wait in Chromium
 * (measured).
 */
function createReadingPace(gl: WebGLRenderingContext): Pace {
	const pixel = new Uint8Array(4);
	return {
		...unlimitedPace,
		mark() {
			gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
		},
	};
}

/**
 * For 2D canvas, and for WebGL 1 on the page's thread, where reading a pixel would block clicks.
 */
export const unlimitedPace: Pace = {
	pollFree: () => true,
	mark() {},
	forget() {},
};
