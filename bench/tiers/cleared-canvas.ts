import type { Page } from "playwright-core";

/** Does what the engine's worker does for a frame, but clears the canvas instead of drawing. */
const WORKER = `onmessage = ({ data: canvas }) => {
	const gl = canvas.getContext("webgl2", { alpha: false, antialias: false, depth: false });
	let fence = null;
	let pictures = 0;
	function frame() {
		requestAnimationFrame(frame);
		if (fence && gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.UNSIGNALED) return;
		gl.deleteSync(fence);
		gl.clearColor(0.5 + (pictures++ % 64) / 128, 0.8, 1, 1);
		gl.clear(gl.COLOR_BUFFER_BIT);
		fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
		gl.flush();
	}
	frame();
	setInterval(() => postMessage(pictures), 250);
}`;

/** An empty page that the browser still composites in each frame. */
const PAGE = `<!doctype html><style>canvas { position: fixed; inset: 0; width: 100%; height: 100% }</style>
<div class="stage"><div class="picture"></div></div>`;

/**
 * The control of the frames: a worker clears a canvas on an empty page, with an overlay like the
 * engine's. No engine can draw more pictures than this.
 * @param page a blank one
 * @param pixelRatio of the canvas, as at a quality level
 */
export async function playCleared(page: Page, pixelRatio: number): Promise<void> {
	await page.setContent(PAGE);
	await page.evaluate(
		([code, ratio]) => {
			const canvas = document.createElement("canvas");
			canvas.width = innerWidth * ratio;
			canvas.height = innerHeight * ratio;
			document.querySelector(".picture")!.append(canvas);
			document.querySelector<HTMLElement>(".stage")!.dataset.backend = "worker";
			const overlay = document.createElement("aside");
			overlay.className = "stats-overlay";
			const text = document.createElement("pre");
			overlay.append(text);
			document.body.append(overlay);
			const worker = new Worker(URL.createObjectURL(new Blob([code])));
			worker.onmessage = ({ data }) => {
				text.textContent = `drawn ${data}`;
			};
			const surface = canvas.transferControlToOffscreen();
			worker.postMessage(surface, [surface]);
		},
		[WORKER, pixelRatio] as const,
	);
}
