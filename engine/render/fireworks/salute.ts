import {
	FIELD,
	FIREWORKS,
	FLIGHT,
	KIND,
	type Simulation,
	STRIDE,
	smooth,
} from "../../simulation/index.ts";
import type { Place } from "../place.ts";
import type { Picture } from "../renderer.ts";
import { BURST, placeBurst } from "./bursts.ts";

/**
 * Rockets that start at once, as a salute's do, and their bursts are seen alone: floats fade where these will
 * open, and below, on the rockets' way. Alike in the shader and on the 2D canvas.
 */
export const SALUTE = {
	bursts: FIREWORKS.initial,
	/** Ticks from the start in which floats fade, and in which they come back as the last sparks go. */
	fade: 24,
	back: 45,
	/** Share of its size that a float has where it is not seen. */
	small: 0.6,
	/** Shares of a burst's reach from which on they fade less, and to which at all. */
	ends: [0.8, 1.25],
	/** How much narrower than a burst the way to it is. */
	narrower: 2.5,
} as const;

/** Places: how much floats fade, from 0 to 1, then x and y of each burst in world units; `others` of all but the first. */
export const SALUTED = {
	strength: 0,
	places: 1,
	others: 3,
	length: 1 + 2 * SALUTE.bursts,
} as const;

/** Writes which rockets of one moment, or else which bursts, are in the sky at a picture's time. */
export function writeSaluted(
	saluted: Float32Array,
	{ records: { floats, ints }, rings }: Simulation,
	{ time }: Readonly<Pick<Picture, "time">>,
): void {
	saluted[SALUTED.strength] = 0;
	for (let kind: number = KIND.rocket; kind <= KIND.spark; kind++) {
		const { first, length, width } = rings[kind];
		const flight = kind === KIND.rocket ? FLIGHT : 0;
		let alike = 0;
		let before = -1;
		// Around the ring, as three that follow each other may stand at both of its ends.
		for (let burst = 0; burst < length + SALUTE.bursts - 1; burst++) {
			const r = (first + (burst % length) * width) * STRIDE;
			const birth = ints[r + FIELD.birth];
			// As `isAlive` has it: the time that it is handed may be a number on the heap in each frame.
			const lives = time >= birth && time < ints[r + FIELD.death];
			alike = lives ? (birth === before ? alike + 1 : 1) : 0;
			before = birth;
			if (alike === 0) continue;
			const at = SALUTED.places + 2 * (alike - 1);
			saluted[at] = floats[r + FIELD.x] + floats[r + FIELD.velocityX] * flight;
			saluted[at + 1] = floats[r + FIELD.y] + floats[r + FIELD.velocityY] * flight;
			if (alike < SALUTE.bursts) continue;
			saluted[SALUTED.strength] =
				kind === KIND.rocket
					? smooth((time - birth) / SALUTE.fade)
					: smooth((ints[r + FIELD.death] - time) / SALUTE.back);
			return;
		}
	}
}

/** How much of a float is seen beside the salute of its place, from 0 to 1, with its middle and size in CSS px. */
export function besideSalute(
	x: number,
	y: number,
	size: number,
	place: Readonly<Place>,
	span: number,
): number {
	const { saluted } = place;
	if (saluted[SALUTED.strength] === 0) return 1;
	let seen = 1;
	for (let at = SALUTED.places; at < SALUTED.length; at += 2) {
		const burst = placeBurst(saluted[at], saluted[at + 1], place, span);
		const reach = BURST.spark + BURST.reach * span * burst[2];
		const across = BURST.spark + BURST.reach * span * burst[3];
		const below = Math.max(0, Math.min(1, (y - burst[1]) / reach));
		const awayX = ((x - burst[0]) * (1 + (SALUTE.narrower - 1) * below)) / across;
		const awayY = ((y - burst[1]) * (1 - below)) / reach;
		const away = Math.sqrt(awayX * awayX + awayY * awayY) - size / (2 * reach);
		const [near, far] = SALUTE.ends;
		seen = Math.min(seen, smooth((away - near) / (far - near)));
	}
	return 1 + (seen - 1) * saluted[SALUTED.strength];
}
