import { between, FIELD, type Simulation, STRIDE, smooth } from "../simulation/index.ts";
import { createApart, writeApart } from "./apart.ts";
import { ATLAS, CELL, type Context2d, cellAt, createAtlas } from "./atlas.ts";
import { BANDS, moveBands, writeBands } from "./bands.ts";
import { aim, createCamera } from "./camera.ts";
import { DEPTH, isInDepth, nearnessOf } from "./depth.ts";
import { emojiOf } from "./emoji.ts";
import { wholeOf } from "./fireworks/bursts.ts";
import { burstOf, trailFrom } from "./fireworks/fireworks.ts";
import { isSeen, seenFrom } from "./fireworks/late.ts";
import {
	brightnessOf,
	FLASH,
	type Light,
	LONG,
	lightCellOf,
	lightsOf,
	SHINE,
} from "./fireworks/lights.ts";
import { writeSaluted } from "./fireworks/salute.ts";
import { isBehind } from "./orbits.ts";
import { createPlace, look, SEEN, spanOf } from "./place.ts";
import { hidingOf, QUIET, quietAt, reachOf, roomAt } from "./quiet.ts";
import type { Picture, Renderer } from "./renderer.ts";
import { writeSeen } from "./seen.ts";
import type { Theme } from "./theme.ts";

const TURN = 2 * Math.PI;

/**
 * Draws without WebGL, over the style sheet's sphere.
 *
 * Each sprite and light is one `drawImage` from the atlas: 0.46 ms a frame for 32 of them, against
 * 17 ms as text (both measured on two slow cores).
 */
export function createFlatRenderer(
	context: Context2d,
	simulation: Simulation,
	theme: Theme,
): Renderer {
	const atlas = createAtlas(theme);
	const camera = createCamera();
	const seen = new Float64Array(SEEN.length);
	const past = new Float64Array(SEEN.length);
	const apart = createApart(simulation);
	const place = createPlace(apart);
	const wantedBands = new Float32Array(BANDS.length);
	let latest = Number.NEGATIVE_INFINITY;
	/** Far to near. */
	const order = Array.from({ length: simulation.slots }, (_, slot) => slot);
	let pixelRatio = 0;
	let drawCalls = 0;

	/** Without the top share `from`. Size in CSS px. */
	function drawCell(
		cell: number,
		x: number,
		y: number,
		width: number,
		height: number,
		angle: number,
		from: number,
	): void {
		const cos = Math.cos(angle) * pixelRatio;
		const sin = Math.sin(angle) * pixelRatio;
		const { left, top } = cellAt(cell);
		context.setTransform(cos, -sin, sin, cos, x * pixelRatio, y * pixelRatio);
		drawCalls++;
		const part = 1 - from;
		const start = (from - 0.5) * height;
		context.drawImage(
			atlas,
			left,
			top + from * CELL,
			CELL,
			part * CELL,
			-width / 2,
			start,
			width,
			part * height,
		);
	}

	function drawLight(slot: number, light: Light, picture: Readonly<Picture>): void {
		const { time, night } = picture;
		const { records } = simulation;
		const r = slot * STRIDE;
		const kind = records.floats[r + FIELD.kind];
		const birth = seenFrom(simulation, slot);
		const flash = light.lag === FLASH;
		const before = flash ? birth : trailFrom(simulation, slot, time, light.lag, place);
		writeSeen(past, simulation, slot, before, picture, place);
		const head = flash ? past : seen;
		const pathX = head[SEEN.x] - past[SEEN.x];
		const pathY = head[SEEN.y] - past[SEEN.y];
		const middleX = past[SEEN.x] + pathX / 2;
		const middleY = past[SEEN.y] + pathY / 2;
		const stretch = Math.sqrt(pathX * pathX + pathY * pathY) / 2;
		const byDay = flash ? between(SHINE.flashByDay, night) : 1;
		const radius = flash
			? Math.min(light.radius * spanOf(place) * byDay, roomAt(place.zones, middleX, middleY, 0))
			: light.radius * seen[SEEN.size];
		const quiet = flash ? 1 : quietAt(place.zones, middleX, middleY, stretch + radius);
		// A flash has no fade-in and ignores its spark's opacity.
		const opacity = flash ? wholeOf(burstOf(simulation, slot, place)[2]) : seen[SEEN.opacity];
		const brightness = brightnessOf(kind, flash, time - birth) * opacity * quiet * byDay;
		const alpha = Math.min(1, brightness * (SHINE.byDay + (1 - SHINE.byDay) * night));
		if (alpha < SHINE.least) return;
		context.globalAlpha = alpha;
		const glow = 2 / ATLAS.glyphShare;
		const angle = stretch > 0 ? Math.atan2(-pathX, -pathY) : 0;
		const cell = lightCellOf(simulation, slot);
		const ends = light.lag > LONG;
		const length = (radius + (ends ? 2 : 1) * stretch) * glow;
		const [x, y] = ends ? [seen[SEEN.x], seen[SEEN.y]] : [middleX, middleY];
		drawCell(cell, x, y, radius * glow, length, angle, ends ? 0.5 : 0);
	}

	/** All lights first: light over sprites would wash out their colors. */
	function drawLights(picture: Readonly<Picture>): void {
		if (picture.night > 0.5) context.globalCompositeOperation = "lighter";
		for (const slot of order) {
			const lights = lightsOf(simulation, slot);
			if (lights.length === 0 || !isSeen(simulation, slot, picture.time)) continue;
			writeSeen(seen, simulation, slot, picture.time, picture, place);
			for (const light of lights) drawLight(slot, light, picture);
		}
		context.globalCompositeOperation = "source-over";
	}

	function drawParticle(slot: number, picture: Readonly<Picture>, behind: boolean): void {
		writeSeen(seen, simulation, slot, picture.time, picture, place);
		const [x, y, size] = [seen[SEEN.x], seen[SEEN.y], seen[SEEN.size]];
		const angle = seen[SEEN.turn] * TURN;
		const quiet = quietAt(place.zones, x, y, reachOf(size, angle));
		context.globalAlpha = seen[SEEN.opacity] * hidingOf(quiet);
		if (context.globalAlpha === 0) return;
		const reach = reachOf(size / ATLAS.glyphShare, angle);
		if (!behind) throwShadow(x, y, size, reach, picture.night);
		const side = (size / ATLAS.glyphShare) * (QUIET.least + (1 - QUIET.least) * quiet);
		drawCell(emojiOf(simulation, slot), x, y, side, side, angle, 0);
		context.shadowColor = "transparent";
	}

	/** Applies to sprites near and in front of the sphere. */
	function throwShadow(x: number, y: number, size: number, reach: number, night: number): void {
		const [awayX, awayY] = [x - place.sphereX, y - place.sphereY];
		const away = Math.sqrt(awayX * awayX + awayY * awayY) / place.radius;
		const { dark, aside, below, soft, ends } = DEPTH.shadow;
		const over = 1 - smooth((away - ends[0]) / (ends[1] - ends[0]));
		const strength = dark * over * (1 - night) * quietAt(place.zones, x, y, reach);
		if (strength === 0) return;
		context.shadowColor = `rgb(0 0 0 / ${strength.toFixed(3)})`;
		context.shadowBlur = 0.03 * soft * size * pixelRatio;
		context.shadowOffsetX = aside * size * pixelRatio;
		context.shadowOffsetY = below * size * pixelRatio;
	}

	function settle(picture: Readonly<Picture>): void {
		const { time } = picture;
		look(place, camera, picture);
		place.bands = moveBands(place.bands, wantedBands, time - latest);
		writeSaluted(place.saluted, simulation, picture);
		writeApart(apart, simulation, picture, place);
		latest = time;
	}

	/** Erases most of what is behind the style sheet's sphere, and at night all. */
	function wipeSphere(night: number): void {
		context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
		context.globalAlpha = 1 - DEPTH.frosted * (1 - night);
		context.globalCompositeOperation = "destination-out";
		context.beginPath();
		context.arc(place.sphereX, place.sphereY, place.radius, 0, TURN);
		context.fill();
		context.globalCompositeOperation = "source-over";
	}

	return {
		get drawCalls() {
			return drawCalls;
		},
		resize(width, height, ratio) {
			if (width === camera.width && height === camera.height && ratio === pixelRatio) return;
			camera.width = width;
			camera.height = height;
			pixelRatio = ratio;
			writeBands(wantedBands, place.zones, width, height);
			context.canvas.width = Math.max(1, Math.round(width * ratio));
			context.canvas.height = Math.max(1, Math.round(height * ratio));
		},
		setQuietZone(rectangles) {
			place.zones = rectangles;
			writeBands(wantedBands, rectangles, camera.width, camera.height);
		},
		draw(picture) {
			const { records } = simulation;
			order.sort((a, b) => nearnessAt(simulation, a) - nearnessAt(simulation, b));
			aim(camera, picture);
			settle(picture);
			context.setTransform(1, 0, 0, 1, 0, 0);
			context.clearRect(0, 0, context.canvas.width, context.canvas.height);
			drawCalls = 0;
			drawLights(picture);
			for (const behind of [true, false]) {
				for (const slot of order) {
					if (!isSeen(simulation, slot, picture.time)) continue;
					if (isBehind(records, slot, picture.time) === behind) drawParticle(slot, picture, behind);
				}
				if (behind && drawCalls > 0) wipeSphere(picture.night);
			}
		},
		destroy() {
			context.setTransform(1, 0, 0, 1, 0, 0);
			context.clearRect(0, 0, context.canvas.width, context.canvas.height);
		},
	};
}

/** Fireworks are behind all floats, sparks behind rockets. */
function nearnessAt({ records: { floats } }: Simulation, slot: number): number {
	const kind = floats[slot * STRIDE + FIELD.kind];
	return isInDepth(kind) ? nearnessOf(floats[slot * STRIDE + FIELD.size]) : -kind;
}
