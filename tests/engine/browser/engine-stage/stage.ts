/** A page with nothing but the engine, which tests drive through `window`. */

import { type Backend, createEngine, type Engine, type EngineSettings, type Stats } from "#engine";
import { LOOKS } from "../../../../bench/harness/looks.ts";

export interface Stage {
	create(settings?: Partial<EngineSettings>): Engine;
	engine?: Engine;
	/** What `onShown` has said. */
	shown: Backend[];
	/** What `onStats` has said last. */
	stats?: Stats;
}

declare global {
	interface Window {
		stage: Stage;
	}
}

const container = document.querySelector<HTMLElement>("#container");
if (!container) throw new Error("There is no container.");

window.stage = {
	shown: [],
	create(settings) {
		const { stage } = window;
		stage.engine = createEngine(container, {
			looks: LOOKS,
			onShown: (backend) => stage.shown.push(backend),
			onStats: (stats) => {
				stage.stats = stats;
			},
			...settings,
		});
		return stage.engine;
	},
};
