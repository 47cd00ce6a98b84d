import type { Renderer } from "../render/renderer.ts";
import type { Simulation } from "../simulation/index.ts";
import type { FramePacer } from "./frame-pacer.ts";

export type Canvas = HTMLCanvasElement | OffscreenCanvas;

export interface Surface {
	readonly pacer: FramePacer;
	readonly software: boolean;
	createRenderer(simulation: Simulation): Renderer;
	isLost(): boolean;
	/** Watches for context losses. @returns a function that stops watching */
	watch(onLost: (timeMs: number) => void, onReturned: () => void): () => void;
	destroy(): void;
}

export function watchContext(
	canvas: Canvas,
	[lost, returned]: readonly [string, string],
	onLost: (timeMs: number) => void,
	onReturned: () => void,
): () => void {
	const handleLost = (event: Event) => {
		// Without this, the browser would never restore the context.
		event.preventDefault();
		onLost(event.timeStamp);
	};
	const ended = new AbortController();
	const { signal } = ended;
	canvas.addEventListener(lost, handleLost, { signal });
	canvas.addEventListener(returned, onReturned, { signal });
	return () => ended.abort();
}
