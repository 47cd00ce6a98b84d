/**
 * How and where a sprite is seen: its pose, fitted to the words and the screen. The shader computes
 * the same in sprites.glsl.ts. Nothing of it reaches the simulation.
 */
import { FIELD, KIND, type Simulation, STRIDE } from "../simulation/index.ts";
import { writeAlone } from "./alone.ts";
import { asideAt } from "./apart.ts";
import { DEPTH, isInDepth } from "./depth.ts";
import { fly, spray } from "./fireworks/fireworks.ts";
import { besideSalute } from "./fireworks/salute.ts";
import { type Place, SEEN } from "./place.ts";
import type { Picture } from "./renderer.ts";

/** Writes how the particle in a slot is seen at a time, in ticks and fractions. */
export function writeSeen(
	seen: Float64Array,
	simulation: Simulation,
	slot: number,
	time: number,
	picture: Readonly<Picture>,
	place: Readonly<Place>,
): void {
	const kind = simulation.records.floats[slot * STRIDE + FIELD.kind];
	if (isInDepth(kind)) {
		writeAlone(seen, simulation, slot, time, place);
		seen[SEEN.x] += asideAt(place.aside, slot, time);
		lean(seen, picture, place);
		return;
	}
	seen[SEEN.near] = 0;
	if (kind === KIND.rocket) fly(seen, simulation, slot, time, place);
	else spray(seen, simulation, slot, time, picture, place);
}

/** Moves a float with the mouse and the hand, the nearer ones more, and makes it as pale as it is far away. */
function lean(seen: Float64Array, picture: Readonly<Picture>, place: Readonly<Place>): void {
	const { leanX, leanY, clarity } = picture;
	const near = seen[SEEN.near];
	const way = DEPTH.parallax.far + (DEPTH.parallax.near - DEPTH.parallax.far) * near;
	seen[SEEN.x] -= leanX * way;
	seen[SEEN.y] -= leanY * way;
	giveWay(seen, picture, place);
	seen[SEEN.opacity] *= (DEPTH.pale + (1 - DEPTH.pale) * near) * clarity;
	seen[SEEN.opacity] *= besideSalute(near, place.saluted[0]);
}

/** Moves a float away from the hand: the nearer it is to both, the more. */
function giveWay(
	seen: Float64Array,
	{ handX, handY, hand }: Readonly<Picture>,
	{ width, height }: Readonly<Place>,
): void {
	const awayX = seen[SEEN.x] - ((handX + 1) * width) / 2;
	const awayY = seen[SEEN.y] - ((handY + 1) * height) / 2;
	const away = Math.sqrt(awayX * awayX + awayY * awayY);
	const closeness = Math.max(0, 1 - away / DEPTH.way.reach);
	const px = hand * seen[SEEN.near] * DEPTH.way.px * closeness * closeness;
	seen[SEEN.x] += (awayX / Math.max(1, away)) * px;
	seen[SEEN.y] += (awayY / Math.max(1, away)) * px;
}
