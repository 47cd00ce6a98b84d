import type { Theme } from "./render/theme.ts";
import { EMOJI } from "./simulation/rules.ts";

/** The theme of tests and benches, so their pictures do not depend on the brand. */
export const THEME: Theme = {
	emoji: EMOJI,
	colors: {
		morning: ["#efe5fd", "#f6e6f7", "#fce8ea", "#feedda"],
		dawn: ["#ffcde8", "#ffdeb2", "#d6deff"],
		between: ["#b99af0", "#f59ccb", "#ffb48c"],
		night: ["#0a0618", "#170b31", "#341253", "#4a1766"],
		dusk: ["#ba46be", "#7a2c96"],
		silk: ["#ff99cc", "#ffbe99", "#ffe6a3", "#b4f0d0", "#99daff", "#c1a5ff"],
		shade: ["#cc9eed"],
		sheen: ["#fffbfc"],
		halo: ["#fbedff", "#ffccfa"],
	},
};
