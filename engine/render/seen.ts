/** Places each kind as visitors see it. The shader does the same in gl/sprites.glsl.ts. */
import {
	between,
	FIELD,
	isCaught,
	KIND_NAMES,
	type KindName,
	type Simulation,
	STRIDE,
	smoothstep,
} from "../simulation/index.ts";
import { writeLoneFloat } from "./alone.ts";
import { FLOAT_SPACING, floatOffsetAt } from "./apart.ts";
import { DEPTH } from "./depth.ts";
import { writeRocketSprite, writeSparkSprite } from "./fireworks/fireworks.ts";
import { visibilityDuringSalute } from "./fireworks/salute.ts";
import { type Place, SPRITE } from "./place.ts";
import type { Picture } from "./renderer.ts";

type WriteSprite = (
	seen: Float64Array,
	simulation: Simulation,
	slot: number,
	time: number,
	picture: Readonly<Picture>,
	place: Readonly<Place>,
) => void;

/** The shader's functions are in `PLACE` (gl/sprites.glsl.ts). */
const WRITE: Readonly<Record<KindName, WriteSprite>> = {
	float(seen, simulation, slot, time, picture, place) {
		writeLoneFloat(seen, simulation, slot, time, place);
		seen[SPRITE.x] += floatOffsetAt(place.aside, slot, time, 0);
		seen[SPRITE.y] -= floatOffsetAt(place.aside, slot, time, FLOAT_SPACING.points);
		lean(seen, picture, place);
		hide(seen, place, !isCaught(simulation.records, slot) && seen[SPRITE.near] < DEPTH.behind);
	},
	rocket(seen, simulation, slot, time, _, place) {
		seen[SPRITE.near] = 0;
		writeRocketSprite(seen, simulation, slot, time, place);
		seen[SPRITE.opacity] *= rimVisibilityAt(seen, place);
	},
	spark(seen, simulation, slot, time, picture, place) {
		seen[SPRITE.near] = 0;
		writeSparkSprite(seen, simulation, slot, time, picture, place);
	},
};
const WRITE_BY_KIND = KIND_NAMES.map((name) => WRITE[name]);

export const writeVisiblePose: WriteSprite = (seen, simulation, slot, time, picture, place) => {
	const kind = simulation.records.floats[slot * STRIDE + FIELD.kind];
	WRITE_BY_KIND[kind](seen, simulation, slot, time, picture, place);
};

function lean(seen: Float64Array, picture: Readonly<Picture>, place: Readonly<Place>): void {
	const { parallaxX, parallaxY, clarity } = picture;
	const near = seen[SPRITE.near];
	const way = DEPTH.parallax.far + (DEPTH.parallax.near - DEPTH.parallax.far) * near;
	seen[SPRITE.x] -= parallaxX * way;
	seen[SPRITE.y] -= parallaxY * way;
	giveWay(seen, picture, place);
	seen[SPRITE.opacity] *= clarity;
}

/** Hides floats for a salute, and before the window's edges or the sphere's rim clip them. */
function hide(seen: Float64Array, place: Readonly<Place>, behind: boolean): void {
	const x = Math.min(seen[SPRITE.x], place.width - seen[SPRITE.x]);
	const y = Math.min(seen[SPRITE.y], place.height - seen[SPRITE.y]);
	const ends = part(DEPTH.ends, Math.min(x, y) / seen[SPRITE.size]);
	const rim = behind ? rimVisibilityAt(seen, place) : 1;
	const visible = visibilityDuringSalute(seen[SPRITE.near], place.saluted[0]) * rim * ends;
	seen[SPRITE.opacity] *= smoothstep(visible / DEPTH.faint);
	seen[SPRITE.size] *= between(DEPTH.small, visible);
}

function rimVisibilityAt(
	seen: Float64Array,
	{ sphereX, sphereY, radius }: Readonly<Place>,
): number {
	const [x, y] = [seen[SPRITE.x] - sphereX, seen[SPRITE.y] - sphereY];
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
	const awayX = seen[SPRITE.x] - ((pointerX + 1) * width) / 2;
	const awayY = seen[SPRITE.y] - ((pointerY + 1) * height) / 2;
	const away = Math.sqrt(awayX * awayX + awayY * awayY);
	const closeness = Math.max(0, 1 - away / DEPTH.dodge.reach);
	const px = pointer * seen[SPRITE.near] * DEPTH.dodge.px * closeness * closeness;
	seen[SPRITE.x] += (awayX / Math.max(1, away)) * px;
	seen[SPRITE.y] += (awayY / Math.max(1, away)) * px;
}
