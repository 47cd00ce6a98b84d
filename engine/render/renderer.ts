import type { Simulation } from "../simulation/index.ts";

/** How fine the sphere's mesh is: see hemisphere.ts. */
export type Detail = "coarse" | "fine";

/** What one frame shows. */
export interface Picture {
	/** Tick and fraction of the simulation. */
	time: number;
	/** 0 in the morning, 1 at night. */
	night: number;
	detail: Detail;
}

/** Draws a simulation. Both ways of drawing look the same from outside. */
export interface Renderer {
	/** Draw calls of the latest picture. */
	readonly drawCalls: number;
	/**
	 * Sets the size of the canvas, and of what is drawn, if it changed. The canvas is empty then.
	 * @param width CSS px, as `height`
	 * @param pixelRatio pixels drawn for each CSS px
	 */
	resize(width: number, height: number, pixelRatio: number): void;
	/** Where words stand and sprites fade: up to three rectangles of x, y, width, height in CSS px. */
	setQuietZone(rectangles: ArrayLike<number>): void;
	draw(picture: Picture): void;
	/** Gives back everything it made. The context stays the caller's. */
	destroy(): void;
}

/** Makes a renderer of a simulation: on a WebGL or a 2D context, whichever the player has got. */
export type CreateRenderer<Context> = (context: Context, simulation: Simulation) => Renderer;

/** Opacity that is left to a sprite right behind words. */
export const QUIET_OPACITY = 0.1;

/** Most rectangles of a quiet zone: the shader has room for so many. */
export const QUIET_RECTANGLES = 3;
