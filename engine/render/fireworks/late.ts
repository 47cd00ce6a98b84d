import { FIELD, KIND, ordinalOf, type Simulation, STRIDE, slotOf } from "../../simulation/index.ts";

/**
 * Bursts of one moment are seen one after the other: of three that start at once, rockets fly so many ticks longer in
 * the picture, and their bursts open so much later. It is nothing that the simulation knows of.
 */
export const LATE = { ticks: 10, of: 3 } as const;

/** Ticks by which the rocket or the burst in a slot is late. */
function lateBy({ records: { ints }, rings }: Simulation, kind: number, slot: number): number {
	const ring = rings[kind];
	const ordinal = ordinalOf(ring, slot);
	const birthOf = (other: number) => ints[slotOf(ring, other) * STRIDE + FIELD.birth];
	let before = 0;
	while (before < LATE.of - 1 && before < ordinal) {
		if (birthOf(ordinal - before - 1) !== birthOf(ordinal)) break;
		before++;
	}
	return LATE.ticks * before;
}

/** The tick from which on the particle in a slot is seen: a spark is once its burst has opened. */
export const seenFrom = (simulation: Simulation, slot: number): number =>
	simulation.records.ints[slot * STRIDE + FIELD.birth] + lateIf(KIND.spark, simulation, slot);

/** The first tick at which it is seen no more: a rocket is seen until its burst opens. */
export const seenUntil = (simulation: Simulation, slot: number): number =>
	simulation.records.ints[slot * STRIDE + FIELD.death] + lateIf(KIND.rocket, simulation, slot);

const lateIf = (kind: number, simulation: Simulation, slot: number): number =>
	simulation.records.floats[slot * STRIDE + FIELD.kind] === kind
		? lateBy(simulation, kind, slot)
		: 0;

/** Whether the particle in a slot is seen at a time, in ticks and fractions. */
export const isSeen = (simulation: Simulation, slot: number, time: number): boolean =>
	time >= seenFrom(simulation, slot) && time < seenUntil(simulation, slot);
