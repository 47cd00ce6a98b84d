import {
	CHANGES_LENGTH,
	count,
	createCursor,
	createSimulation,
	readChanges,
	seek,
	step,
} from "../../../engine/simulation/index.ts";

const simulation = createSimulation(42, "both");
const cursor = createCursor();
const ranges = new Int32Array(CHANGES_LENGTH);
seek(simulation, 6_000);

export function stepOnly(steps: number): void {
	for (let i = 0; i < steps; i++) step(simulation);
}

/** Also reads the slots to upload after each step, like the page. */
export function stepAndRead(steps: number): void {
	for (let i = 0; i < steps; i++) {
		step(simulation);
		readChanges(simulation, cursor, ranges);
	}
}

let kept: object = {};

/** Allocates an object each time, which the measurement must detect. */
export function keepObjects(times: number): object {
	for (let i = 0; i < times; i++) kept = { i };
	return kept;
}

export function whereabouts(): { tick: number; alive: number } {
	const { floats, rockets, sparks } = count(simulation).alive;
	return { tick: simulation.tick, alive: floats + rockets + sparks };
}
