import { advance, createClock } from "../../engine/simulation/clock.ts";
import {
	CHANGES_LENGTH,
	count,
	createCursor,
	createSimulation,
	readChanges,
	seek,
	step,
} from "../../engine/simulation/index.ts";

const simulation = createSimulation(42, "both");
const clock = createClock();
const cursor = createCursor();
const ranges = new Int32Array(CHANGES_LENGTH);
seek(simulation, 6_000);

/** What the page does per frame, but for drawing: time, a tick, the slots to upload. */
export function playFrames(frames: number): void {
	for (let i = 0; i < frames; i++) {
		const ticks = advance(clock, clock.lastUs + 16_667);
		for (let tick = 0; tick < ticks; tick++) step(simulation);
		readChanges(simulation, cursor, ranges);
	}
}

export function stepOnly(steps: number): void {
	for (let i = 0; i < steps; i++) step(simulation);
}

let kept: object = {};

/** One object each time, which is what the measurement must see. */
export function keepObjects(times: number): object {
	for (let i = 0; i < times; i++) kept = { i };
	return kept;
}

/** Where the simulation is, to show that it went on. */
export function whereabouts(): { tick: number; alive: number } {
	const { floats, rockets, sparks } = count(simulation).alive;
	return { tick: simulation.tick, alive: floats + rockets + sparks };
}
