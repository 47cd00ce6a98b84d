import {
	FIELD,
	FIREWORKS,
	isAlive,
	KIND,
	type Simulation,
	STRIDE,
	smooth,
} from "../simulation/index.ts";
import { BURST, placeBurst } from "./bursts.ts";
import type { Place } from "./seen.ts";

/**
 * Bursts that open at once, as a salute's do, are seen alone: floats fade in their light, alike in the shader
 * and on the 2D canvas.
 */
export const SALUTE = {
	bursts: FIREWORKS.initial,
	/** Ticks in which floats fade, and in which they come back as the last sparks go. */
	fade: 8,
	back: 50,
	/** Shares of a burst's reach from which on they fade less, and to which at all. */
	ends: [0.8, 1.25],
} as const;

/** Places: how much floats fade, from 0 to 1, then x and y of each burst in world units; `others` of all but the first. */
export const SALUTED = {
	strength: 0,
	places: 1,
	others: 3,
	length: 1 + 2 * SALUTE.bursts,
} as const;

/** Writes which bursts of one moment are in the sky. */
export function writeSaluted(
	saluted: Float32Array,
	{ records, rings }: Simulation,
	time: number,
): void {
	const { floats, ints } = records;
	const { first, length, width } = rings[KIND.spark];
	saluted[SALUTED.strength] = 0;
	let alike = 0;
	let before = -1;
	// Around the ring, as three that follow each other may stand at both of its ends.
	for (let burst = 0; burst < length + SALUTE.bursts - 1; burst++) {
		const slot = first + (burst % length) * width;
		const r = slot * STRIDE;
		const birth = ints[r + FIELD.birth];
		alike = isAlive(records, slot, time) ? (birth === before ? alike + 1 : 1) : 0;
		before = birth;
		if (alike === 0) continue;
		const at = SALUTED.places + 2 * (alike - 1);
		saluted[at] = floats[r + FIELD.x];
		saluted[at + 1] = floats[r + FIELD.y];
		if (alike < SALUTE.bursts) continue;
		saluted[SALUTED.strength] =
			smooth((time - birth) / SALUTE.fade) * smooth((ints[r + FIELD.death] - time) / SALUTE.back);
		return;
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
		const endX = ((saluted[at] + 1) * place.width) / 2;
		const endY = ((1 - saluted[at + 1]) * place.height) / 2;
		const burst = placeBurst(endX, endY, place, span);
		const reach = BURST.spark + BURST.tidy * span * burst[2];
		const away = Math.hypot(x - burst[0], y - burst[1]) - size / 2;
		const [near, far] = SALUTE.ends;
		seen = Math.min(seen, smooth((away / reach - near) / (far - near)));
	}
	return 1 + (seen - 1) * saluted[SALUTED.strength];
}
