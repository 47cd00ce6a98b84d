/** A page with only the engine, driven by tests through `window`. */

import {
	type Backend,
	createEngine,
	type Engine,
	type EngineSettings,
	type FrameStats,
} from "#engine";
import { THEME } from "../../../../engine/default-theme.ts";

export interface Stage {
	create(settings?: Partial<EngineSettings>): Engine;
	engine?: Engine;
	shown: Backend[];
	stats?: FrameStats;
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
			theme: THEME,
			onShown: (backend) => stage.shown.push(backend),
			onStats: (stats) => {
				stage.stats = stats;
			},
			...settings,
		});
		return stage.engine;
	},
};
