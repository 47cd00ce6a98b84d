/** @module-tag slow */
import { expect, test } from "vitest";
import { BIRTH_PLAN, createSimulation, seek, step } from "../../../engine/simulation/index.ts";

function timed(work: () => void): number {
	const before = performance.now();
	work();
	return performance.now() - before;
}

/** A cost that grew with particles or ticks would exceed this ratio by far. */
const FACTOR = 20;

/** Milliseconds for 720 ticks, in which all initial floats live. */
function steps(initial: number): number {
	const plan = { ...BIRTH_PLAN, floats: { initial, batch: 1 }, rockets: { initial: 0, batch: 0 } };
	const simulation = createSimulation(42, "drift", plan);
	seek(simulation, 1);
	return timed(() => {
		for (let i = 0; i < 720; i++) step(simulation);
	});
}

test("a step with a million alive costs as much as with 100, at equal births", () => {
	steps(100);
	expect(steps(1_000_000)).toBeLessThan(FACTOR * steps(100));
});
