import type { Renderer } from "../render/renderer.ts";
import type { Simulation } from "../simulation/index.ts";
import type { Pace } from "./pace.ts";

export type Canvas = HTMLCanvasElement | OffscreenCanvas;

/** A canvas with its context: what a player draws on. The context may be lost and return. */
export interface Surface {
	readonly pace: Pace;
	/** Whether the processor does the GPU's work. */
	readonly software: boolean;
	/**
	 * A new renderer: one at the start, and another after each loss.
	 * @throws Error when it cannot be made
	 */
	createRenderer(simulation: Simulation): Renderer;
	/** Whether the context is lost at present. */
	isLost(): boolean;
	/**
	 * Tells of each loss, with its time in ms, and of each return.
	 * @returns the function that ends it
	 */
	watch(onLost: (timeMs: number) => void, onReturned: () => void): () => void;
	/** Gives the context back. */
	destroy(): void;
}

/** Listens to the pair of events that a context has for its loss and its return. */
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
