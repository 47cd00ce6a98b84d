export interface Picture {
	/** Tick and fraction of the simulation. */
	time: number;
	/** 0 in the morning, 1 at night. */
	night: number;
	/** How far the sphere has set, 0 to 1: 0 on the landing page, even at dusk. */
	sunken: number;
	/** Pointer position that the parallax has reached, from the window's center: -1 to 1, y downward. */
	parallaxX: number;
	parallaxY: number;
	/** The point that near floats avoid, and its strength: 0 to about 1. */
	pointerX: number;
	pointerY: number;
	pointer: number;
	/** The silk's turn by fingers, in radians. */
	turn: number;
	/** Breath depth: 0 to 1, and deeper for a join. */
	swell: number;
	/** Below 1 while the device cannot draw floats sharply. */
	clarity: number;
}

export const createPicture = (): Picture => ({
	time: 0,
	night: 0,
	sunken: 0,
	parallaxX: 0,
	parallaxY: 0,
	swell: 0,
	clarity: 1,
	pointerX: 0,
	pointerY: 0,
	pointer: 0,
	turn: 0,
});

export interface Renderer {
	readonly drawCalls: number;
	/** Clears the canvas on a change. @param width CSS px, like `height` */
	resize(width: number, height: number, pixelRatio: number): void;
	/** x, y, width, height in CSS px of up to `QUIET.rectangles` zones. */
	setQuietZone(rectangles: ArrayLike<number>): void;
	draw(picture: Picture): void;
	/** Does not release the context, which belongs to the caller. */
	destroy(): void;
}
