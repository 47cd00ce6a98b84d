import type { Plugin } from "vite";

/** Selectors that Lightning CSS keeps as they are, and warns of because it does not know them yet. */
const KNOWN = ["target-current"];

/** Keeps the build's output to what needs a look: a warning that always comes hides the others. */
export function knownSelectors(): Plugin {
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
