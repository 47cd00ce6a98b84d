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
	/** How much of the floats is seen, from 0 to 1: all, but for a device that cannot draw them sharply. */
	clarity: number;
}

/** A picture of the first tick, by day. */
export const createPicture = (): Picture => ({
	...{ time: 0, night: 0, leanX: 0, leanY: 0, swell: 0, clarity: 1 },
});

/** Clarity goes to the shader in so many steps. */
export const CLARITY = { steps: 32 } as const;

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
	 * Where words stand and no sprite is: up to `QUIET.rectangles` of x, y, width, height in CSS px.
	 */
	setQuietZone(rectangles: ArrayLike<number>): void;
	draw(picture: Picture): void;
	/** Frees everything it made. The context stays the caller's. */
	destroy(): void;
}

/**
 * How sprites fade on their way to a quiet zone, alike in the shader and on the 2D canvas. No sprite has
 * a pixel in a zone, so that words need no shield from them, however many there are (promise 46).
 *
 *     CSS px from the sprite's bounding box to the rectangle
 *     zone │◄── 0 ─── fade ──►
 *     opacity  0 ────╱‾‾‾‾‾‾‾‾ 1
 */
export const QUIET = {
	rectangles: 6, // most there can be: four in the shader's `zones`, two in its `frame`
	fade: 24,
	least: 0.6, // share of its size that a sprite has as it vanishes: it goes away, and leaves no ghost
} as const;

/** CSS px by which a sprite is larger than its glyph, for the glyph's soft edge. */
export const EDGE_PX = 5;

/** Px that a sprite reaches both ways from its middle, turned by an angle: half of its bounding box. */
export const reachOf = (size: number, angle: number): number =>
	0.5 * (size + EDGE_PX) * (Math.abs(Math.cos(angle)) + Math.abs(Math.sin(angle)));
