/** Moves floats for words, pointer and depth. The shader does the same in gl/floats.glsl.ts. */
import {
	between,
	FIELD,
	isCaught,
	KIND,
	type Simulation,
	STRIDE,
	smoothstep,
} from "../simulation/index.ts";
import { writeAlone } from "./alone.ts";
import { APART, asideAt } from "./apart.ts";
import { DEPTH, isInDepth } from "./depth.ts";
import { writeRocketSprite, writeSparkSprite } from "./fireworks/fireworks.ts";
import { besideSalute } from "./fireworks/salute.ts";
import { type Place, SEEN } from "./place.ts";
import type { Picture } from "./renderer.ts";

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
		seen[SEEN.x] += asideAt(place.aside, slot, time, 0);
		seen[SEEN.y] -= asideAt(place.aside, slot, time, APART.moments);
		lean(seen, picture, place);
		go(seen, place, !isCaught(simulation.records, slot) && seen[SEEN.near] < DEPTH.behind);
		return;
	}
	seen[SEEN.near] = 0;
	if (kind === KIND.rocket) {
		writeRocketSprite(seen, simulation, slot, time, place);
		seen[SEEN.opacity] *= wholeAt(seen, place);
	} else writeSparkSprite(seen, simulation, slot, time, picture, place);
}

function lean(seen: Float64Array, picture: Readonly<Picture>, place: Readonly<Place>): void {
	const { leanX, leanY, clarity } = picture;
	const near = seen[SEEN.near];
	const way = DEPTH.parallax.far + (DEPTH.parallax.near - DEPTH.parallax.far) * near;
	seen[SEEN.x] -= leanX * way;
	seen[SEEN.y] -= leanY * way;
	giveWay(seen, picture, place);
	seen[SEEN.opacity] *= clarity;
}

/** Hides floats for a salute, and before the window's top or the sphere's rim clips them. */
function go(seen: Float64Array, place: Readonly<Place>, behind: boolean): void {
	const top = part(DEPTH.top, seen[SEEN.y] / seen[SEEN.size]);
	const rim = behind ? wholeAt(seen, place) : 1;
	const beside = besideSalute(seen[SEEN.near], place.saluted[0]) * rim * top;
	seen[SEEN.opacity] *= smoothstep(beside / DEPTH.faint);
	seen[SEEN.size] *= between(DEPTH.small, beside);
}

function wholeAt(seen: Float64Array, { sphereX, sphereY, radius }: Readonly<Place>): number {
	const [x, y] = [seen[SEEN.x] - sphereX, seen[SEEN.y] - sphereY];
	return part(DEPTH.gone, Math.abs(Math.sqrt(x * x + y * y) / radius - 1));
}

const part = ([from, to]: readonly [number, number], at: number): number =>
	smoothstep((at - from) / (to - from));

/** Pushes floats away from the pointer, near floats most. */
function giveWay(
	seen: Float64Array,
	{ pointerX, pointerY, pointer }: Readonly<Picture>,
	{ width, height }: Readonly<Place>,
): void {
	const awayX = seen[SEEN.x] - ((pointerX + 1) * width) / 2;
	const awayY = seen[SEEN.y] - ((pointerY + 1) * height) / 2;
	const away = Math.sqrt(awayX * awayX + awayY * awayY);
	const closeness = Math.max(0, 1 - away / DEPTH.way.reach);
	const px = pointer * seen[SEEN.near] * DEPTH.way.px * closeness * closeness;
	seen[SEEN.x] += (awayX / Math.max(1, away)) * px;
	seen[SEEN.y] += (awayY / Math.max(1, away)) * px;
}
