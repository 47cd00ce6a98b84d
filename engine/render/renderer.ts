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

/**
 * How sprites fade in a quiet zone, alike in the shader and on the 2D canvas.
 *
 *     distance of the sprite's edge from the rectangle's, in CSS px
 *     inside  ◄── from ─── 0 ─── to ──►  outside
 *     opacity ────────╱‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾  from `opacity` to all of it
 */
export const QUIET = {
	rectangles: 3, // most there can be: columns of the shader's matrix that are free
	opacity: 0.1, // left to a sprite right behind words
	reach: 0.32, // from a sprite's middle to its edge, as a share of its size
	from: -36,
	to: 28,
} as const;
