import { FIELD, KIND, ordinalOf, ROCKET, type Simulation, STRIDE } from "../../simulation/index.ts";

/**
 * Rockets and their bursts are seen to the left and to the right by turns: by chance three of four may be on one side,
 * and the other half of the night has nothing but embers. It is nothing that the simulation knows of.
 * @returns what to multiply the x of the particle in a slot by: -1 where it is seen on the other side
 */
export function sideOf({ records: { floats }, rings }: Simulation, slot: number): number {
	const r = slot * STRIDE;
	const kind = floats[r + FIELD.kind];
	if (kind === KIND.float) return 1;
	return floats[r + FIELD.x] < 0 === (ordinalOf(rings[kind], slot) % 2 === 0) ? 1 : -1;
}

/** The turn of a rocket that is seen on a side. */
export const turnOf = (turn: number, side: number): number =>
	ROCKET.upright + (turn - ROCKET.upright) * side;
