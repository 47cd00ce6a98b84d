import { emoji, sky, sphere } from "#brand";
import type { Theme } from "#engine";

const { silk, shade, sheen, halo } = sphere;

export const theme: Theme = {
	emoji,
	colors: {
		morning: sky.morning.colors,
		dawn: sky.morning.lights,
		between: sky.between,
		night: sky.night.colors,
		dusk: sky.night.lights,
		silk,
		shade: [shade],
		sheen: [sheen],
		halo,
	},
};
