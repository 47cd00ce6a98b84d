import type { CreateSphere } from "./subject.ts";

/** What one run of one subject took. */
export interface Sample {
	/** ms from handing its script to the browser to its first finished frame. */
	firstFrameMs: number;
	/** ms of the page's thread for each frame. */
	frameMs: number;
	/** Sum of the finished picture's bytes, to see that all subjects drew the same. */
	pixels: number;
}

/**
 * Runs a subject: its script from the text to the first finished frame, then many frames of one
 * triangle each, so that what is timed is the page's thread and not the software that stands in for
 * a GPU. Every call still goes its whole way to WebGL.
 * @param script leaves `createSphere` in a global of the subject's name
 */
export function run(script: string, subject: string, frames: number): Sample {
	const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 400 });
	const options = { antialias: false, depth: false, preserveDrawingBuffer: true };
	const gl = canvas.getContext("webgl2", options) as WebGL2RenderingContext;
	const finished = new Uint8Array(640 * 400 * 4);
	const finish = (width: number, height: number) =>
		gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, finished);
	finish(1, 1);

	const before = performance.now();
	const element = document.createElement("script");
	element.textContent = script;
	document.head.append(element);
	const { createSphere } = (globalThis as never as Record<string, { createSphere: CreateSphere }>)[
		subject
	]!;
	const sphere = createSphere(gl);
	sphere.draw(0);
	finish(1, 1);
	const firstFrameMs = performance.now() - before;
	finish(640, 400);
	const pixels = finished.reduce((sum, value) => sum + value, 0);

	const drawElements = gl.drawElements.bind(gl);
	gl.drawElements = (mode, _count, type, offset) => drawElements(mode, 3, type, offset);
	const batches: number[] = [];
	for (let batch = 0; batch < 40; batch++) {
		const start = performance.now();
		for (let frame = 0; frame < frames; frame++) sphere.draw(frame / frames);
		batches.push((performance.now() - start) / frames);
		finish(1, 1);
	}
	gl.getExtension("WEBGL_lose_context")?.loseContext();
	// The first batches warm the code up.
	const frameMs = batches.slice(10).sort((a, b) => a - b)[15]!;
	return { firstFrameMs, frameMs, pixels };
}
