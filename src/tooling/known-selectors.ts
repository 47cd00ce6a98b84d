import type { Plugin } from "vite";

/** Lightning CSS keeps this selector but does not know it yet. A permanent warning hides new ones. */
const KNOWN = "'target-current' is not recognized";

export const silenceSelectorWarnings = (): Plugin => ({
	name: "known-selectors",
	configResolved({ logger }) {
		const { warn } = logger;
		logger.warn = (text, options) => text.includes(KNOWN) || warn(text, options);
	},
});
