export interface Picture {
	/** Simulated time in ticks, with a fraction. */
	time: number;
	/** 0 in the morning, 1 at night. */
	night: number;
	/** How far the sphere has set, 0 to 1. Dark mode alone does not make it set. */
	sunken: number;
	/** The pointer, smoothed for the parallax: -1 to 1 from the window's center, y downward. */
	parallaxX: number;
	parallaxY: number;
	/** The point that near floats avoid: -1 to 1, y downward. `pointer`: how strongly, 0 to about 1. */
	pointerX: number;
	pointerY: number;
	pointer: number;
	/** Radians by which fingers have turned the silk. */
	turn: number;
	/** Depth of the sphere's breath: a tap reaches 1 (touch.ts). */
	swell: number;
	/** Opacity of floats: below 1 while the picture is too coarse for them (reveal.ts). */
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
