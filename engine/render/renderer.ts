/** The content of a frame. */
export interface Picture {
	/** Tick and fraction of the simulation. */
	time: number;
	/** 0 in the morning, 1 at night. */
	night: number;
	/** How far the sphere has set, from 0 to 1. At dusk it is night with the sphere in place. */
	sunken: number;
	/** Pointer position from the window's center: -1 to 1 both ways, y downward. */
	leanX: number;
	leanY: number;
	/** Position of the virtual pointer that near floats avoid, and its strength: 0 to about 1. */
	handX: number;
	handY: number;
	hand: number;
	/** Silk turn by fingers, in radians. */
	turn: number;
	/** Breath depth: 0 to 1, and deeper for a join (touch.ts). */
	swell: number;
	/** Visibility of floats, from 0 to 1: below 1 while the device cannot draw them sharply. */
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

export interface Renderer {
	readonly drawCalls: number;
	/**
	 * Resizes canvas and picture. A change clears the canvas.
	 * @param width CSS px, like `height`
	 * @param pixelRatio pixels drawn per CSS px
	 */
	resize(width: number, height: number, pixelRatio: number): void;
	/**
	 * Sets blocks of words that sprites must avoid: up to `QUIET.rectangles` (quiet.ts) of x, y,
	 * width, height in CSS px.
	 */
	setQuietZone(rectangles: ArrayLike<number>): void;
	draw(picture: Picture): void;
	/** Frees all resources. The context belongs to the caller. */
	destroy(): void;
}
