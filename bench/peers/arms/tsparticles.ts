import { tsParticles } from "@tsparticles/engine";
import { loadSlim } from "@tsparticles/slim";
import { EMOJI } from "../../../engine/simulation/index.ts";
import { SIZES, type Start } from "../scene.ts";

/**
 * The slim bundle, the smallest with emoji. Paints each emoji once, draws it as an image, and
 * chooses sizes within the same limits.
 */
export const start: Start = async (canvas, { count, scale }) => {
	await loadSlim(tsParticles);
	canvas.id = "tsparticles";
	const container = await tsParticles.load({
		id: canvas.id,
		element: canvas,
		options: {
			fullScreen: false,
			detectRetina: false,
			particles: {
				number: { value: count },
				shape: { type: "emoji", options: { emoji: { value: [...EMOJI] } } },
				// Radii.
				size: { value: { min: (SIZES[0] / 2) * scale, max: (SIZES.at(-1)! / 2) * scale } },
				move: { enable: true, speed: 1 },
				rotate: { value: { min: 0, max: 360 }, animation: { enable: true, speed: 60 } },
				opacity: { value: { min: 0.1, max: 1 }, animation: { enable: true, speed: 1 } },
			},
		},
	});
	if (!container) throw new Error("tsparticles did not start.");
	return {};
};
