import { openSurface } from "../player/gl-surface.ts";
import { createPicture } from "../render/renderer.ts";
import type { Theme } from "../render/theme.ts";
import { restoreSimulation } from "../simulation/index.ts";

export interface Shot {
	theme: Theme;
	seed: number;
	tick: number;
	/** In CSS px. One CSS px is one pixel of the photograph. */
	width: number;
	height: number;
	/** x, y, width, height of each text block. */
	quietZone: readonly number[];
}

/** @throws Error without WebGL */
export function photograph(shot: Shot): HTMLCanvasElement {
	const { theme, seed, tick, width, height, quietZone } = shot;
	const simulation = restoreSimulation({ seed, inputs: [{ tick: 0, scene: "drift" }], tick });
	const canvas = document.createElement("canvas");
	const surface = openSurface(canvas, theme);
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
