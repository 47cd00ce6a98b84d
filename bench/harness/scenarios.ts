import { SCENES, type Scene } from "../../engine/simulation/index.ts";

export interface Scenario {
	readonly name: string;
	readonly seed: number;
	readonly inputs: readonly { tick: number; scene: Scene }[];
}

const SEEDS = [1, 42, 0xffff_ffff];

/** The landing page, the confirmation page, the landing page again, then quick scene changes. */
const visit: Scenario["inputs"] = [
	{ tick: 0, scene: "drift" },
	{ tick: 500, scene: "fireworks" },
	{ tick: 5_700, scene: "drift" },
	{ tick: 5_720, scene: "none" },
	{ tick: 5_950, scene: "both" },
	{ tick: 5_990, scene: "fireworks" },
	{ tick: 5_995, scene: "both" },
];

export const SCENARIOS: readonly Scenario[] = SEEDS.flatMap((seed) => [
	...SCENES.map((scene) => ({ name: `${scene} ${seed}`, seed, inputs: [{ tick: 0, scene }] })),
	{ name: `visit ${seed}`, seed, inputs: visit },
]);
