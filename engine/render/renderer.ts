/** What a frame shows. */
export interface Picture {
	/** Tick and fraction of the simulation. */
	time: number;
	/** 0 in the morning, 1 at night. */
	night: number;
	/** How far the sphere has set, from 0 to 1: at dusk it is night, and the sphere in its place. */
	sunken: number;
	/** Where the visitor points, from the middle of the window: -1 to 1 both ways, y downwards. */
	leanX: number;
	leanY: number;
	/** Where the hand is that near floats give way to, likewise, and how much: 0 where none is, to about 1. */
	handX: number;
	handY: number;
	hand: number;
	/** How far fingers have turned the silk, in radians. */
	turn: number;
	/** How deep the sphere has breathed in for the visitor: 0 to 1, and deeper for a join (touch.ts). */
	swell: number;
	/** How much of the floats is seen, from 0 to 1: all, but for a device that cannot draw them sharply. */
	clarity: number;
}

/** A picture of the first tick, by day. */
export const createPicture = (): Picture => ({
	time: 0,
	night: 0,
	sunken: 0,
	leanX: 0,
	leanY: 0,
	swell: 0,
	clarity: 1,
	handX: 0,
	handY: 0,
	hand: 0,
	turn: 0,
});

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
	 * Where words stand and no sprite is: up to `QUIET.rectangles` (quiet.ts) of x, y, width, height in CSS px.
	 */
	setQuietZone(rectangles: ArrayLike<number>): void;
	draw(picture: Picture): void;
	/** Frees everything it made. The context stays the caller's. */
	destroy(): void;
}
