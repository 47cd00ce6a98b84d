import type { Scenario } from "../../../bench/harness/scenarios.ts";
import { fingerprint } from "../../../engine/simulation/fingerprint.ts";
import {
	restoreSimulation,
	type Simulation,
	seek,
	step,
} from "../../../engine/simulation/index.ts";
import committed from "./fingerprints.json" with { type: "json" };

const MARKED_TICKS = [1, 60, 600, 6_000, 100_000];

export function stepTo(simulation: Simulation, tick: number): Simulation {
	while (simulation.tick < tick) step(simulation);
	return simulation;
}

/** Returns fingerprints at the marked ticks. `go` reaches them by steps or by seeks. */
export function fingerprintScenario(scenario: Scenario, go: typeof seek = stepTo): string {
	const simulation = restoreSimulation({ ...scenario, tick: 0 });
	return MARKED_TICKS.map((tick) => {
		go(simulation, tick);
		return fingerprint(simulation);
	}).join(" ");
}

export const fingerprintBySeeks = (scenario: Scenario) => fingerprintScenario(scenario, seek);

/** Fingerprints at the marked ticks. A commit that changes them must explain why. */
export const FINGERPRINTS: Readonly<Record<string, string>> = committed.marks;
