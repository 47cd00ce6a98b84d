import { fingerprint } from "../../engine/simulation/fingerprint.ts";
import {
	count,
	restore,
	type Scene,
	type Simulation,
	sceneOf,
	seek,
} from "../../engine/simulation/index.ts";
import type { Setup } from "./state.ts";

export interface Moment {
	fingerprint: string;
	alive: number;
	scene: Scene;
}

/**
 * Independent of the engine's simulation, which may run in a worker. Answers for any tick, to
 * compare fingerprints.
 */
export function createReferenceSimulation(): (
	setup: Pick<Setup, "seed" | "inputs">,
	tick: number,
) => Moment {
	let simulation: Simulation | undefined;
	let seed = 0;
	let inputs: Setup["inputs"] = [];
	return (setup, tick) => {
		if (!simulation || setup.seed !== seed || setup.inputs !== inputs) {
			({ seed, inputs } = setup);
			simulation = restore({ seed, inputs, tick });
		} else seek(simulation, tick);
		const { floats, rockets, sparks } = count(simulation).alive;
		return {
			fingerprint: fingerprint(simulation),
			alive: floats + rockets + sparks,
			scene: sceneOf(simulation),
		};
	};
}
