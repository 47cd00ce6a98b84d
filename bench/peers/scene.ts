import { EMOJI } from "../../engine/simulation/rules.ts";

/** The scene of every arm: a number of emoji that move, turn and fade in every frame. */
export interface Scene {
	/** From the first frame to the last. */
	count: number;
	scale: number;
}

export interface Playing {
	/** Restarts sprites that do not move, turn and fade for the whole run. */
	renew?(): void;
}

export type Start = (canvas: HTMLCanvasElement, scene: Scene) => Promise<Playing> | Playing;

/** The canvas, in px: one device pixel each. */
export const CANVAS = { width: 1280, height: 800 } as const;

/** Frames, at 60 a second, over which a sprite fades from 1 to 0: longer than any run. */
export const LIFE = 3600;

/** CSS px of the sprites before scaling. */
export const SIZES = [24, 48, 72, 96, 120] as const;

/** Number of sprites per size. Even, because js-confetti adds one on each side. */
export function classesOf({ count, scale }: Scene): { size: number; count: number }[] {
	const pairs = count / 2;
	return SIZES.map((size, place) => ({
		size: size * scale,
		count: 2 * (Math.floor(pairs / SIZES.length) + (place < pairs % SIZES.length ? 1 : 0)),
	}));
}

export interface Sprite {
	size: number;
	emoji: number;
	x: number;
	y: number;
	/** px per frame. */
	velocityX: number;
	velocityY: number;
	/** Radians per frame. */
	spin: number;
}

/** The sprites of a scene. Uses the page's seeded `Math.random`. */
export function spritesOf(scene: Scene): Sprite[] {
	return classesOf(scene).flatMap(({ size, count }) =>
		Array.from({ length: count }, (_, place) => ({
			size,
			emoji: place % EMOJI.length,
			x: Math.random() * CANVAS.width,
			y: Math.random() * CANVAS.height,
			velocityX: Math.random() - 0.5,
			velocityY: -Math.random(),
			spin: (Math.random() - 0.5) * 0.05,
		})),
	);
}
