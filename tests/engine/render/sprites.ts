import {
	createFloatSpacing,
	type FloatSpacing,
	updateFloatSpacing,
} from "../../../engine/render/apart.ts";
import { writeWordBands } from "../../../engine/render/bands.ts";
import { aimCamera, createCamera } from "../../../engine/render/camera.ts";
import { isVisibleAt } from "../../../engine/render/fireworks/late.ts";
import { writeSaluteProgress } from "../../../engine/render/fireworks/salute.ts";
import { createPlace, type Place, SPRITE, setPlace } from "../../../engine/render/place.ts";
import { halfBoxEdge, visibilityNearWords } from "../../../engine/render/quiet.ts";
import { createPicture } from "../../../engine/render/renderer.ts";
import { writeVisiblePose } from "../../../engine/render/seen.ts";
import {
	createSimulation,
	type Scene,
	type Simulation,
	seek,
} from "../../../engine/simulation/index.ts";

/** Quiet zones like those of the pages: brand, switch, words, footer. */
export const landingZones = {
	"390x844": [
		...[20, 20, 82, 44, 326, 20, 44, 44],
		...[20, 225, 350, 183, 20, 445, 350, 176, 21, 788, 348, 44],
	],
	"1440x900": [
		...[36, 20, 82, 44, 1360, 20, 44, 44],
		...[396, 174, 648, 339, 396, 553, 648, 176, 546, 844, 348, 44],
	],
};
export const confirmationZones = {
	"390x844": [20, 20, 82, 44, 326, 20, 44, 44, 20, 213, 350, 279, 21, 788, 348, 44],
	"844x390": [30, 10, 82, 44, 770, 10, 44, 44, 48, 82, 748, 154, 269, 326, 307, 60],
	"1440x900": [36, 20, 82, 44, 1360, 20, 44, 44, 396, 195, 648, 429, 546, 844, 348, 44],
};

export const joinedZones = {
	"390x844": [
		...[20, 20, 82, 44, 326, 20, 44, 44],
		...[20, 225, 350, 183, 20, 430, 350, 150, 21, 788, 348, 44],
	],
};

export const seeds = Array.from({ length: 10 }, (_, seed) => seed + 1);

export function simulationAt(seed: number, scene: Scene, tick: number): Simulation {
	const simulation = createSimulation(seed, scene);
	seek(simulation, tick);
	return simulation;
}

/** Layout of a window whose size is written like `390x844`, and its sphere's radius. */
export function placeOf(size: string, zones: readonly number[], night: number) {
	const [width, height] = size.split("x").map(Number) as [number, number];
	const camera = Object.assign(createCamera(), { width, height });
	const picture = { ...createPicture(), night, sunken: night };
	aimCamera(camera, picture);
	const place = createPlace(createFloatSpacing(createSimulation(1, "none")));
	place.zones = zones;
	writeWordBands(place.bands, zones, width, height);
	setPlace(place, camera, picture);
	return { place, radius: place.radius };
}

const aparts = new WeakMap<Simulation, FloatSpacing>();

export interface Sprite {
	x: number;
	y: number;
	size: number;
	/** Includes the dimming near words. */
	opacity: number;
	quiet: number;
	near: number;
}

export function spriteOf(
	simulation: Simulation,
	slot: number,
	place: Place,
	time = simulation.tick,
	picture = createPicture(),
): Sprite {
	const apart = aparts.get(simulation) ?? createFloatSpacing(simulation);
	aparts.set(simulation, apart);
	updateFloatSpacing(apart, simulation, { time }, place);
	place.aside = apart;
	writeSaluteProgress(place.saluted, simulation, { time });
	const seen = new Float64Array(SPRITE.length);
	writeVisiblePose(seen, simulation, slot, time, picture, place);
	const [x, y, size, turn, opacity, near] = [...seen] as [
		...[number, number, number, number, number, number],
	];
	const reach = halfBoxEdge(size, turn * 2 * Math.PI);
	const quiet = visibilityNearWords(place.zones, x, y, reach);
	return { x, y, size, opacity, near, quiet };
}

export function spritesOf(
	simulation: Simulation,
	kind: number,
	place: Place,
	picture = createPicture(),
): [number, Sprite][] {
	const { first, length, width } = simulation.rings[kind]!;
	return Array.from({ length: length * width }, (_, i) => first + i)
		.filter((slot) => isVisibleAt(simulation, slot, simulation.tick))
		.map((slot) => [slot, spriteOf(simulation, slot, place, simulation.tick, picture)]);
}

export const median = (values: number[]) =>
	values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
