import {
	between,
	FIELD,
	KIND,
	type Simulation,
	STRIDE,
	smoothstep,
} from "../../simulation/index.ts";
import { createFloatSpacing, updateFloatSpacing } from "../apart.ts";
import { ATLAS, type Context2d } from "../atlas.ts";
import { easeBands, WORD_BANDS, writeWordBands } from "../bands.ts";
import { aimCamera, createCamera } from "../camera.ts";
import { DEPTH, hasDepth, nearnessOf } from "../depth.ts";
import { emojiOf } from "../emoji.ts";
import { burstVisibilityOf } from "../fireworks/bursts.ts";
import { placedBurstOf, trailStartTick } from "../fireworks/fireworks.ts";
import { firstVisibleTick, isVisibleAt } from "../fireworks/late.ts";
import {
	FLASH_LAG,
	LIGHT_STYLE,
	type Light,
	lightBrightnessAt,
	lightCellOf,
	lightsOf,
	TRAIL_LAG_TICKS,
} from "../fireworks/lights.ts";
import { writeSaluteProgress } from "../fireworks/salute.ts";
import { isBehindSphere } from "../orbits.ts";
import { createPlace, type Place, SPRITE, setPlace, spanOf } from "../place.ts";
import {
	distanceToZones,
	halfBoxEdge,
	opacityNearWords,
	QUIET,
	visibilityNearWords,
} from "../quiet.ts";
import type { Picture, Renderer } from "../renderer.ts";
import { writeVisiblePose } from "../seen.ts";
import type { Theme } from "../theme.ts";
import { createFlatCanvas } from "./flat-canvas.ts";

const TURN = 2 * Math.PI;

/**
 * Draws without WebGL, over the style sheet's sphere: first what is behind the sphere, which is then
 * faded, last what is in front.
 */
export function createFlatRenderer(
	context: Context2d,
	simulation: Simulation,
	theme: Theme,
): Renderer {
	const canvas = createFlatCanvas(context, theme);
	const camera = createCamera();
	const seen = new Float64Array(SPRITE.length);
	const past = new Float64Array(SPRITE.length);
	const apart = createFloatSpacing(simulation);
	const place = createPlace(apart);
	const wantedBands = new Float32Array(WORD_BANDS.length);
	let latest = Number.NEGATIVE_INFINITY;
	/** Slots, sorted from far to near. */
	const order = Array.from({ length: simulation.slots }, (_, slot) => slot);

	/** Sets a light's opacity. @returns whether it is bright enough to draw */
	function shine(brightness: number, night: number): boolean {
		context.globalAlpha = Math.min(
			1,
			brightness * (LIGHT_STYLE.byDay + (1 - LIGHT_STYLE.byDay) * night),
		);
		return context.globalAlpha >= LIGHT_STYLE.least;
	}

	/** A flash has no fade-in and ignores its spark's opacity. */
	function drawFlash(slot: number, light: Light, picture: Readonly<Picture>): void {
		const { time, night } = picture;
		const birth = firstVisibleTick(simulation, slot);
		writeVisiblePose(past, simulation, slot, birth, picture, place);
		const [x, y] = [past[SPRITE.x], past[SPRITE.y]];
		const byDay = between(LIGHT_STYLE.flashByDay, night);
		const radius = Math.min(
			light.radius * spanOf(place) * byDay,
			distanceToZones(place.zones, x, y, 0),
		);
		const opacity = byDay * burstVisibilityOf(placedBurstOf(simulation, slot, place)[2]);
		if (!shine(opacity * lightBrightnessAt(KIND.spark, true, time - birth), night)) return;
		canvas.stamp(lightCellOf(simulation, slot), x, y, 2 * radius, 2 * radius, 0);
	}

	function drawTrail(slot: number, light: Light, picture: Readonly<Picture>): void {
		const { time, night } = picture;
		const before = trailStartTick(simulation, slot, time, light.lag, place);
		writeVisiblePose(past, simulation, slot, before, picture, place);
		const [x, y] = [seen[SPRITE.x], seen[SPRITE.y]];
		const [pathX, pathY] = [x - past[SPRITE.x], y - past[SPRITE.y]];
		const [middleX, middleY] = [x - pathX / 2, y - pathY / 2];
		const stretch = Math.sqrt(pathX * pathX + pathY * pathY) / 2;
		const radius = light.radius * seen[SPRITE.size];
		// Words that hide the head hide its trail, too.
		const box = halfBoxEdge(seen[SPRITE.size], seen[SPRITE.turn] * TURN);
		const head = visibilityNearWords(place.zones, x, y, box);
		const trail = visibilityNearWords(place.zones, middleX, middleY, stretch + radius);
		const opacity = seen[SPRITE.opacity] * opacityNearWords(head) * trail;
		const kind = simulation.records.floats[slot * STRIDE + FIELD.kind];
		const age = time - firstVisibleTick(simulation, slot);
		if (!shine(opacity * lightBrightnessAt(kind, false, age), night)) return;
		const angle = stretch > 0 ? Math.atan2(-pathX, -pathY) : 0;
		const cell = lightCellOf(simulation, slot);
		const [across, along] = [2 * radius, 2 * (radius + stretch)];
		if (light.lag > TRAIL_LAG_TICKS)
			canvas.stamp(cell, x, y, across, along + 2 * stretch, angle, 0.5);
		else canvas.stamp(cell, middleX, middleY, across, along, angle);
	}

	/** Runs before any sprite is drawn, because light over sprites would wash out their colors. */
	function drawLights(picture: Readonly<Picture>): void {
		if (picture.night > 0.5) context.globalCompositeOperation = "lighter";
		for (const slot of order) {
			const lights = lightsOf(simulation, slot);
			if (lights.length === 0 || !isVisibleAt(simulation, slot, picture.time)) continue;
			writeVisiblePose(seen, simulation, slot, picture.time, picture, place);
			for (const light of lights) {
				if (light.lag === FLASH_LAG) drawFlash(slot, light, picture);
				else drawTrail(slot, light, picture);
			}
		}
		context.globalCompositeOperation = "source-over";
	}

	function drawParticle(slot: number, picture: Readonly<Picture>, behind: boolean): void {
		writeVisiblePose(seen, simulation, slot, picture.time, picture, place);
		const [x, y, size] = [seen[SPRITE.x], seen[SPRITE.y], seen[SPRITE.size]];
		const angle = seen[SPRITE.turn] * TURN;
		const quiet = visibilityNearWords(place.zones, x, y, halfBoxEdge(size, angle));
		context.globalAlpha = seen[SPRITE.opacity] * opacityNearWords(quiet);
		if (context.globalAlpha === 0) return;
		const reach = halfBoxEdge(size / ATLAS.glyphShare, angle);
		canvas.castShadow(size, behind ? 0 : shadowAt(place, x, y, reach, picture.night));
		const side = size * (QUIET.least + (1 - QUIET.least) * quiet);
		canvas.stamp(emojiOf(simulation, slot), x, y, side, side, angle);
		canvas.castShadow(0, 0);
	}

	function drawParticles(picture: Readonly<Picture>, behind: boolean): void {
		for (const slot of order) {
			if (!isVisibleAt(simulation, slot, picture.time)) continue;
			if (isBehindSphere(simulation.records, slot, picture.time) !== behind) continue;
			drawParticle(slot, picture, behind);
		}
	}

	function settle(picture: Readonly<Picture>): void {
		order.sort((a, b) => nearnessAt(simulation, a) - nearnessAt(simulation, b));
		aimCamera(camera, picture);
		place.bands = easeBands(place.bands, wantedBands, picture.time - latest);
		setPlace(place, camera, picture);
		writeSaluteProgress(place.saluted, simulation, picture);
		updateFloatSpacing(apart, simulation, picture, place);
		latest = picture.time;
	}

	return {
		get drawCalls() {
			return canvas.drawCalls;
		},
		resize(width, height, ratio) {
			if (width === camera.width && height === camera.height && ratio === canvas.pixelRatio) return;
			camera.width = width;
			camera.height = height;
			canvas.pixelRatio = ratio;
			writeWordBands(wantedBands, place.zones, width, height);
			context.canvas.width = Math.max(1, Math.round(width * ratio));
			context.canvas.height = Math.max(1, Math.round(height * ratio));
		},
		setQuietZone(rectangles) {
			place.zones = rectangles;
			writeWordBands(wantedBands, rectangles, camera.width, camera.height);
		},
		draw(picture) {
			settle(picture);
			canvas.clear();
			drawLights(picture);
			drawParticles(picture, true);
			// By day the sphere hides most of what is behind it, at night everything.
			if (canvas.drawCalls > 0) canvas.wipe(place, 1 - DEPTH.frosted * (1 - picture.night));
			drawParticles(picture, false);
		},
		destroy() {
			canvas.clear();
		},
	};
}

/** Darkness of a sprite's shadow on the sphere. */
function shadowAt(
	{ sphereX, sphereY, radius, zones }: Readonly<Place>,
	x: number,
	y: number,
	reach: number,
	night: number,
): number {
	const [awayX, awayY] = [x - sphereX, y - sphereY];
	const away = Math.sqrt(awayX * awayX + awayY * awayY) / radius;
	const { dark, ends } = DEPTH.shadow;
	const over = 1 - smoothstep((away - ends[0]) / (ends[1] - ends[0]));
	return dark * over * (1 - night) * visibilityNearWords(zones, x, y, reach);
}

/** Fireworks are behind all floats, sparks behind rockets. */
function nearnessAt({ records: { floats } }: Simulation, slot: number): number {
	const kind = floats[slot * STRIDE + FIELD.kind];
	return hasDepth(kind) ? nearnessOf(floats[slot * STRIDE + FIELD.size]) : -kind;
}
