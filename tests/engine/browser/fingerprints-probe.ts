import { playScenario, SCENARIOS } from "../../../bench/harness/scenarios.ts";
import { fold, rulesFingerprint } from "../../../engine/simulation/fingerprint.ts";
import { createSimulation, POSE, seek, writePose } from "../../../engine/simulation/index.ts";

/** Everything that must be the same in every engine; runs in any of them. */
export function fingerprints() {
	return {
		rules: rulesFingerprint(),
		marks: Object.fromEntries(SCENARIOS.map((scenario) => [scenario.name, playScenario(scenario)])),
		poses: fingerprintPoses(),
	};
}

/** Of every bit of every pose, on ticks and between them. */
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
	return fold(prints);
}

/**
 * What the simulation would be like with the platform's sine: a thousand ticks of a hundred particles
 * that sway. It is not the same everywhere, or the comparison does not compare.
 */
export function controlFingerprint(): string {
	const x = new Float64Array(100).map((_, i) => i / 7);
	for (let tick = 0; tick < 1_000; tick++)
		for (let i = 0; i < x.length; i++) x[i]! += Math.sin(tick * 0.37 + x[i]!) / 60;
	return fold(new Int32Array(x.buffer));
}
