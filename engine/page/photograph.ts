import { openSurface } from "../player/gl-surface.ts";
import type { Looks } from "../render/looks.ts";
import { createPicture } from "../render/renderer.ts";
import { restore } from "../simulation/index.ts";

/** A moment of the drift, by day. */
export interface Shot {
	looks: Looks;
	seed: number;
	tick: number;
	/** CSS px, one pixel each. */
	width: number;
	height: number;
	/** Blocks reserved for words: x, y, width, height each. */
	quietZone: readonly number[];
}

/**
 * Draws one moment onto a 2D canvas: a WebGL canvas can only be read in the task that drew on it.
 * @throws Error without WebGL
 */
export function photograph({
	looks,
	seed,
	tick,
	width,
	height,
	quietZone,
}: Shot): HTMLCanvasElement {
	const simulation = restore({ seed, inputs: [{ tick: 0, scene: "drift" }], tick });
	const canvas = document.createElement("canvas");
	const surface = openSurface(canvas, looks);
	try {
		const renderer = surface.createRenderer(simulation);
		renderer.resize(width, height, 1);
		renderer.setQuietZone(quietZone);
		renderer.draw({ ...createPicture(), time: tick });
		const photo = Object.assign(document.createElement("canvas"), { width, height });
		photo.getContext("2d")?.drawImage(canvas, 0, 0);
		renderer.destroy();
		return photo;
	} finally {
		surface.destroy();
	}
}
