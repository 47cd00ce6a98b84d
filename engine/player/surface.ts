import type { Renderer } from "../render/renderer.ts";
import type { Simulation } from "../simulation/index.ts";
import type { Pace } from "./pace.ts";

export type Canvas = HTMLCanvasElement | OffscreenCanvas;

/** A canvas with its context, which may be lost and return. */
export interface Surface {
	readonly pace: Pace;
	/** The CPU does the GPU's work. */
	readonly software: boolean;
	/**
	 * Creates a renderer: at the start, and after each loss.
	 * @throws Error if it cannot be created
	 */
	createRenderer(simulation: Simulation): Renderer;
	isLost(): boolean;
	/**
	 * Reports losses, with their time in ms, and returns.
	 * @returns a function that ends it
	 */
	watch(onLost: (timeMs: number) => void, onReturned: () => void): () => void;
	/** Releases the context. */
	destroy(): void;
}

/** Listens to the context's lost and restored events. */
export function watchContext(
	canvas: Canvas,
	[lost, returned]: readonly [string, string],
	onLost: (timeMs: number) => void,
	onReturned: () => void,
): () => void {
	const handleLost = (event: Event) => {
		// Without this the context would not return.
		event.preventDefault();
		onLost(event.timeStamp);
	};
	canvas.addEventListener(lost, handleLost);
	canvas.addEventListener(returned, onReturned);
	return () => {
		canvas.removeEventListener(lost, handleLost);
		canvas.removeEventListener(returned, onReturned);
	};
}
