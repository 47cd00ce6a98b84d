import { FIELD, KIND, type Simulation, STRIDE } from "../../simulation/index.ts";

/**
 * Bursts of one moment are seen one after the other: of three that follow each other in a ring, rockets fly so many
 * ticks longer in the picture, and their bursts open so much later. It is nothing that the simulation knows of.
 */
export const LATE = { ticks: 11, of: 3 } as const;

/** Ticks by which the rocket and the burst of an ordinal are late. */
export const lateBy = (ordinal: number): number => LATE.ticks * (ordinal % LATE.of);

/** Ticks by which the rocket or the spark in a slot is late. */
export const lateOf = ({ rings }: Simulation, slot: number): number =>
	lateBy(ordinalOf(rings, slot));

/** The place of a slot's kind in `rings`. */
export function kindOf(rings: Simulation["rings"], slot: number): number {
	let kind = rings.length - 1;
	while (slot < rings[kind].first) kind--;
	return kind;
}

/** Which birth of its kind the one in a slot is: a rocket and its burst have the same. Below 0 where there was none. */
export function ordinalOf(rings: Simulation["rings"], slot: number): number {
	const { first, length, width, born } = rings[kindOf(rings, slot)];
	const place = Math.floor((slot - first) / width);
	return place + length * (Math.ceil((born - place) / length) - 1);
}

/** Whether a particle is seen at a time: a rocket is until its burst opens, and a spark from then on. */
export function isSeen(simulation: Simulation, slot: number, time: number): boolean {
	const { floats, ints } = simulation.records;
	const r = slot * STRIDE;
	const kind = floats[r + FIELD.kind];
	const late = kind === KIND.float ? 0 : lateOf(simulation, slot);
	return (
		time >= ints[r + FIELD.birth] + (kind === KIND.spark ? late : 0) &&
		time < ints[r + FIELD.death] + (kind === KIND.rocket ? late : 0)
	);
}
