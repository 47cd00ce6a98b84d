import { FIELD, KIND, ordinalOf, type Simulation, STRIDE, slotOf } from "../../simulation/index.ts";

/** If `of` rockets start together, each flies `ticks` longer than the one before. */
export const LAUNCH_DELAY = { ticks: 10, of: 3 } as const;

function lateBy({ records: { ints }, rings }: Simulation, kind: number, slot: number): number {
	const ring = rings[kind];
	const ordinal = ordinalOf(ring, slot);
	const birthOf = (other: number) => ints[slotOf(ring, other) * STRIDE + FIELD.birth];
	let before = 0;
	while (before < LAUNCH_DELAY.of - 1 && before < ordinal) {
		if (birthOf(ordinal - before - 1) !== birthOf(ordinal)) break;
		before++;
	}
	return LAUNCH_DELAY.ticks * before;
}

export const firstVisibleTick = (simulation: Simulation, slot: number): number =>
	simulation.records.ints[slot * STRIDE + FIELD.birth] + lateIf(KIND.spark, simulation, slot);

export const firstHiddenTick = (simulation: Simulation, slot: number): number =>
	simulation.records.ints[slot * STRIDE + FIELD.death] + lateIf(KIND.rocket, simulation, slot);

const lateIf = (kind: number, simulation: Simulation, slot: number): number =>
	simulation.records.floats[slot * STRIDE + FIELD.kind] === kind
		? lateBy(simulation, kind, slot)
		: 0;

export const isVisibleAt = (simulation: Simulation, slot: number, time: number): boolean =>
	time >= firstVisibleTick(simulation, slot) && time < firstHiddenTick(simulation, slot);
