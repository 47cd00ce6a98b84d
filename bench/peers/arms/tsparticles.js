import { tsParticles } from "@tsparticles/engine";
import { loadSlim } from "@tsparticles/slim";

/** The slim bundle, the smallest with emoji. It paints each emoji once and draws it as an image. */
export async function start(canvas, sprites) {
	await loadSlim(tsParticles);
	canvas.id = "tsparticles";
	const emoji = [...new Set(sprites.map(({ text }) => text))];
	const radii = sprites.map(({ size }) => size / 2);
	await tsParticles.load({
		id: canvas.id,
		element: canvas,
		options: {
			fullScreen: false,
			detectRetina: false,
			particles: {
				number: { value: sprites.length },
				shape: { type: "emoji", options: { emoji: { value: emoji } } },
				size: { value: { min: Math.min(...radii), max: Math.max(...radii) } },
				move: { enable: true, speed: 1 },
				rotate: { value: { min: 0, max: 360 }, animation: { enable: true, speed: 60 } },
				opacity: { value: { min: 0.1, max: 1 }, animation: { enable: true, speed: 1 } },
			},
		},
	});
}
