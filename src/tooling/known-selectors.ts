import type { Plugin } from "vite";

/** Lightning CSS warns about this selector, and a permanent warning hides new ones. */
const KNOWN = "'target-current' is not recognized";

export const silenceSelectorWarnings = (): Plugin => ({
	name: "known-selectors",
	configResolved({ logger }) {
		const { warn } = logger;
		logger.warn = (text, options) => text.includes(KNOWN) || warn(text, options);
	},
});
