import type { Plugin } from "vite";

/** Selectors that Lightning CSS keeps but warns about because it does not know them yet. */
const KNOWN = ["target-current"];

/** Suppresses these warnings, because permanent warnings hide new ones. */
export function silenceSelectorWarnings(): Plugin {
	return {
		name: "known-selectors",
		configResolved({ logger }) {
			const { warn } = logger;
			logger.warn = (text, options) => {
				if (!KNOWN.some((name) => text.includes(`'${name}' is not recognized`))) {
					warn(text, options);
				}
			};
		},
	};
}
