import confetti from "canvas-confetti";

/**
 * A shape per emoji and size, as documented: a shape and its shot have the same `scalar`. Only a
 * call's origin sets a position, so each sprite is a call.
 */
export function start(canvas, sprites, life, useWorker) {
	const fire = confetti.create(canvas, { useWorker });
	const shapes = new Map();
	for (const { text, size, x, y } of sprites) {
		// A shape of scalar 1 is 10 px.
		const scalar = size / 10;
		const key = `${text} ${scalar}`;
		if (!shapes.has(key)) shapes.set(key, confetti.shapeFromText({ text, scalar }));
		void fire({
			particleCount: 1,
			shapes: [shapes.get(key)],
			scalar,
			origin: { x: x / canvas.width, y: y / canvas.height },
			ticks: life,
			spread: 360,
			startVelocity: 1,
			decay: 1,
			gravity: 0,
		});
	}
}
