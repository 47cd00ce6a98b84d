import confetti from "canvas-confetti";
import { EMOJI } from "../../../engine/simulation/index.ts";
import { LIFE, type Playing, type Scene, spritesOf } from "../scene.ts";

/**
 * A shape per emoji and size, as documented: a shape and its shot have the same `scalar`. Only a
 * call's origin sets a position, so each sprite is a call. Sprites fade over a fixed number of
 * frames.
 */
export function fire(canvas: HTMLCanvasElement, scene: Scene, useWorker: boolean): Playing {
	const fireOne = confetti.create(canvas, { useWorker });
	const shapes = new Map<string, confetti.Shape>();
	const shapeOf = (emoji: number, scalar: number) => {
		const key = `${emoji} ${scalar}`;
		const shape = shapes.get(key) ?? confetti.shapeFromText({ text: EMOJI[emoji]!, scalar });
		shapes.set(key, shape);
		return shape;
	};
	for (const { size, emoji, x, y } of spritesOf(scene)) {
		// A shape of scalar 1 is 10 px.
		const scalar = size / 10;
		void fireOne({
			particleCount: 1,
			shapes: [shapeOf(emoji, scalar)],
			scalar,
			origin: { x: x / canvas.width, y: y / canvas.height },
			ticks: LIFE,
			spread: 360,
			startVelocity: 1,
			decay: 1,
			gravity: 0,
		});
	}
	return {};
}
