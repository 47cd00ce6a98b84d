import {
	FIELD,
	FIREWORKS,
	KIND,
	type Simulation,
	STRIDE,
	slotOf,
	smoothstep,
} from "../../simulation/index.ts";
import type { Picture } from "../renderer.ts";

/** Floats vanish in `fade` ticks when three rockets start, and return in the sparks' last `back` ticks. */
export const SALUTE = {
	rockets: FIREWORKS.initial,
	fade: 24,
	back: 95,
	/** Far floats vanish first: how much earlier than near ones, as a multiple of one float's fade. */
	spread: 1.5,
} as const;

/** Writes to `saluted[0]` how far a salute hides floats: 0 shows all, 1 none. */
export function writeSaluteProgress(
	saluted: Float32Array,
	{ records: { ints }, rings }: Simulation,
	{ time }: Readonly<Pick<Picture, "time">>,
): void {
	saluted[0] = 0;
	for (let kind: number = KIND.rocket; kind <= KIND.spark; kind++) {
		const ring = rings[kind];
		let alike = 0;
		let before = -1;
		// Continues past the ring's end, where a salute's three rockets may wrap around.
		for (let burst = 0; burst < ring.length + SALUTE.rockets - 1; burst++) {
			const r = slotOf(ring, burst) * STRIDE;
			const birth = ints[r + FIELD.birth];
			// Inlines `isAlive`: passing the time could allocate a number per frame.
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

export const visibilityDuringSalute = (near: number, saluted: number): number =>
	smoothstep(1 + SALUTE.spread * Math.min(1, near) - (1 + SALUTE.spread) * saluted);
