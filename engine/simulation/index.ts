/**
 * The simulation's API: pure, without DOM, GL, clock or random source.
 *
 *     const simulation = createSimulation(42, "drift");
 *     const clock = createClock();
 *     for (let ticks = advanceClock(clock, timeUs); ticks > 0; ticks--) step(simulation);
 *     writePose(simulation.records, slot, simulation.tick + clock.fraction, pose);
 */
export { CHANGES_LENGTH, type Cursor, createCursor, readChanges } from "./changes.ts";
export * from "./clock.ts";
export { ROCKET, SPARK } from "./fireworks.ts";
export { FLOAT, floatXOf } from "./floats.ts";
export * from "./motion.ts";
export {
	FIELD,
	isAlive,
	isCaught,
	KIND,
	KIND_NAMES,
	type KindName,
	type Records,
	STRIDE,
} from "./particles.ts";
export { between } from "./random.ts";
export { ordinalOf, type Rings, slotOf } from "./rings.ts";
export * from "./rules.ts";
export type { Input } from "./runs.ts";
export * from "./simulation.ts";
