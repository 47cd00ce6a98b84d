/**
 * Allows one unfinished frame on the GPU at a time. Otherwise a worker's queued frames would delay
 * the page's paint: without a GPU, clicks show after 30 to 70 ms instead of 1 to 5 s (measured).
 */
export interface FramePacer {
	/** Whether the last frame has finished. Never blocks. Always true if that cannot be observed. */
	pollFree(): boolean;
	mark(): void;
	forget(): void;
}

export function createFramePacer(gl: WebGL2RenderingContext | WebGLRenderingContext): FramePacer {
	if ("fenceSync" in gl) return createFencePacer(gl);
	// Blocking is fine in a worker, which handles no clicks.
	if (typeof document === "undefined") return createReadingPacer(gl);
	return unlimitedPacer;
}

/**
 * For WebGL 2: each frame ends with a fence. The first check flushes, because an unflushed fence may
 * never pass in a hidden canvas (OpenGL ES 3.0, section 5.2).
 */
function createFencePacer(gl: WebGL2RenderingContext): FramePacer {
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

/** For WebGL 1 in a worker: reading a pixel waits for the frame. In Chromium, `finish` does not. */
function createReadingPacer(gl: WebGLRenderingContext): FramePacer {
	const pixel = new Uint8Array(4);
	return {
		...unlimitedPacer,
		mark() {
			gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
		},
	};
}

/** For 2D canvas, and for WebGL 1 on the page's thread, where reading a pixel would block clicks. */
export const unlimitedPacer: FramePacer = {
	pollFree: () => true,
	mark() {},
	forget() {},
};
