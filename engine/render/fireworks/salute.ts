import {
	FIELD,
	FIREWORKS,
	KIND,
	type Simulation,
	STRIDE,
	slotOf,
	smooth,
} from "../../simulation/index.ts";
import type { Picture } from "../renderer.ts";

/**
 * Rockets that start at once, as a salute's do, have the sky to themselves: floats go as they start, and come back
 * as the last sparks go. Alike in the shader and on the 2D canvas.
 */
export const SALUTE = {
	rockets: FIREWORKS.initial,
	/** Ticks from the start in which floats go, and in which they come back. */
	fade: 24,
	back: 95,
	/** How much later than the farthest the nearest one goes, and how much earlier it comes back. */
	spread: 1.5,
} as const;

/** Writes how far floats have to go for rockets of one moment, or for their bursts: from 0 to 1, in the first place. */
export function writeSaluted(
	saluted: Float32Array,
	{ records: { ints }, rings }: Simulation,
	{ time }: Readonly<Pick<Picture, "time">>,
): void {
	saluted[0] = 0;
	for (let kind: number = KIND.rocket; kind <= KIND.spark; kind++) {
		const ring = rings[kind];
		let alike = 0;
		let before = -1;
		// Around the ring, as three that follow each other may stand at both of its ends.
		for (let burst = 0; burst < ring.length + SALUTE.rockets - 1; burst++) {
			const r = slotOf(ring, burst) * STRIDE;
			const birth = ints[r + FIELD.birth];
			// As `isAlive` has it: the time that it is handed may be a number on the heap in each frame.
			const lives = time >= birth && time < ints[r + FIELD.death];
			alike = lives ? (birth === before ? alike + 1 : 1) : 0;
			before = birth;
			if (alike < SALUTE.rockets) continue;
			saluted[0] =
				kind === KIND.rocket
					? Math.min(1, (time - birth) / SALUTE.fade)
					: Math.min(1, (ints[r + FIELD.death] - time) / SALUTE.back);
			return;
		}
	}
}

/** How much of a float is seen, from 0 to 1, by how near it is and how far floats have to go. */
export const besideSalute = (near: number, saluted: number): number =>
	smooth(1 + SALUTE.spread * Math.min(1, near) - (1 + SALUTE.spread) * saluted);
