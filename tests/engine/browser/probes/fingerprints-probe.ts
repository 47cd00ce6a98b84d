import { SCENARIOS } from "../../../../bench/harness/scenarios.ts";
import { hashWords } from "../../../../engine/simulation/fingerprint.ts";
import { createSimulation, POSE, seek, writePose } from "../../../../engine/simulation/index.ts";
import { fingerprintScenario } from "../../simulation/fingerprints.ts";

/** Returns fingerprints that must be identical in every JavaScript engine. */
export function fingerprints() {
	return {
		marks: Object.fromEntries(SCENARIOS.map((one) => [one.name, fingerprintScenario(one)])),
		poses: fingerprintPoses(),
	};
}

/** Hashes all bits of the poses, on ticks and between ticks. */
function fingerprintPoses(): string {
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
	return hashWords(prints);
}
