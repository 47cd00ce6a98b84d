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

/** What the simulation is at a tick, whoever draws it and whether or not anybody does. */
export interface Moment {
	fingerprint: string;
	alive: number;
	scene: Scene;
}

/**
 * A simulation of our own beside the engine's, which may live in a worker: it is asked about any
 * tick, and what the picture shows is held against it.
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
