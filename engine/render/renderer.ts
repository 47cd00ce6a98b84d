/** What a frame shows. */
export interface Picture {
	/** Tick and fraction of the simulation. */
	time: number;
	/** 0 in the morning, 1 at night. */
	night: number;
	/** Where the visitor points, from the middle of the window: -1 to 1 both ways, y downwards. */
	leanX: number;
	leanY: number;
	/** How deep the sphere has breathed in for the visitor, from 0 to 1. */
	swell: number;
}

/** A picture of the first tick, by day. */
export const createPicture = (): Picture => ({ time: 0, night: 0, leanX: 0, leanY: 0, swell: 0 });

/** Draws a simulation, with WebGL or on a 2D canvas. */
export interface Renderer {
	/** Draw calls of the latest drawn frame. */
	readonly drawCalls: number;
	/**
	 * Sets the size of the canvas, and of what is drawn. If it changed, the canvas is empty.
	 * @param width CSS px, as `height`
	 * @param pixelRatio pixels drawn for each CSS px
	 */
	resize(width: number, height: number, pixelRatio: number): void;
	/**
	 * Where words stand and sprites fade: up to `QUIET.rectangles` of x, y, width, height in CSS px.
	 */
	setQuietZone(rectangles: ArrayLike<number>): void;
	draw(picture: Picture): void;
	/** Frees everything it made. The context stays the caller's. */
	destroy(): void;
}

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
