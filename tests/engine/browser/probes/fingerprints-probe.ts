import { SCENARIOS } from "../../../../bench/harness/scenarios.ts";
import { fingerprint, hashWords } from "../../../../engine/simulation/fingerprint.ts";
import {
	createSimulation,
	POSE,
	restore,
	seek,
	writePose,
} from "../../../../engine/simulation/index.ts";
import { playScenario } from "../../simulation/marks.ts";

/** Must be identical in every JavaScript engine. */
export function fingerprints() {
	return {
		marks: Object.fromEntries(SCENARIOS.map((scenario) => [scenario.name, playScenario(scenario)])),
		poses: fingerprintPoses(),
	};
}

/** Fingerprints of a state and of poses, each paired with one that has a single bit flipped. */
export function controls() {
	const simulation = restore({ seed: 42, inputs: [{ tick: 0, scene: "both" }], tick: 600 });
	const state = fingerprint(simulation);
	simulation.records.ints[0]! ^= 1;
	return {
		state: [state, fingerprint(simulation)],
		poses: [fingerprintPoses(), fingerprintPoses(1)],
	};
}

/**
 * Fingerprints every bit of every pose, on ticks and between them.
 * @param planted bits to flip in the first number
 */
function fingerprintPoses(planted = 0): string {
	const simulation = createSimulation(42, "both");
	const poses = new Float64Array(POSE.length * simulation.slots);
	const prints: number[] = [];
	for (let tick = 1; tick < 6_000; tick += 97) {
		seek(simulation, tick);
		for (let slot = 0; slot < simulation.slots; slot++) {
			const pose = poses.subarray(slot * POSE.length, (slot + 1) * POSE.length);
			writePose(simulation.records, slot, tick + slot / simulation.slots, pose);
		}
		prints.push(...new Int32Array(poses.buffer));
	}
	prints[0]! ^= planted;
	return hashWords(prints);
}
