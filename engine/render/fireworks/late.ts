import { FIELD, KIND, ordinalOf, type Simulation, STRIDE } from "../../simulation/index.ts";

/**
 * Bursts of one moment are seen one after the other: of three that follow each other, rockets fly so many ticks
 * longer in the picture, and their bursts open so much later. It is nothing that the simulation knows of.
 */
export const LATE = { ticks: 10, of: 3 } as const;

/** Ticks by which the rocket and the burst of an ordinal are late. */
export const lateBy = (ordinal: number): number => LATE.ticks * (ordinal % LATE.of);

/** The tick from which on the particle in a slot is seen: a spark is once its burst has opened. */
export const seenFrom = (simulation: Simulation, slot: number): number =>
	simulation.records.ints[slot * STRIDE + FIELD.birth] + lateIf(KIND.spark, simulation, slot);

/** The first tick at which it is seen no more: a rocket is seen until its burst opens. */
export const seenUntil = (simulation: Simulation, slot: number): number =>
	simulation.records.ints[slot * STRIDE + FIELD.death] + lateIf(KIND.rocket, simulation, slot);

const lateIf = (kind: number, { records: { floats }, rings }: Simulation, slot: number): number =>
	floats[slot * STRIDE + FIELD.kind] === kind ? lateBy(ordinalOf(rings[kind], slot)) : 0;

/** Whether the particle in a slot is seen at a time, in ticks and fractions. */
export const isSeen = (simulation: Simulation, slot: number, time: number): boolean =>
	time >= seenFrom(simulation, slot) && time < seenUntil(simulation, slot);
