import {
	FIELD,
	isAlive,
	POSE,
	type Simulation,
	STRIDE,
	smooth,
	writePose,
} from "../simulation/index.ts";
import { ATLAS, CELL, type Context2d, cellAt, createAtlas } from "./atlas.ts";
import { aim, createCamera, VIEW } from "./camera.ts";
import { DEPTH, isInDepth, nearnessOf } from "./depth.ts";
import {
	brightnessOf,
	FLASH,
	growthAt,
	type Light,
	lightCellOf,
	lightsOf,
	SHINE,
} from "./lights.ts";
import type { Looks } from "./looks.ts";
import { type Picture, QUIET, type Renderer, reachOf } from "./renderer.ts";

const TURN = 2 * Math.PI;

/**
 * Draws the same sprites without WebGL, over the style sheet's sphere, which stays in sight.
 *
 * Each sprite and each light is one `drawImage` from the atlas: 0.46 ms a frame for 32 of them, where
 * painting them as text took 17 ms (both measured on two slow cores).
 */
export function createFlatRenderer(
	context: Context2d,
	simulation: Simulation,
	looks: Looks,
): Renderer {
	const atlas = createAtlas(looks);
	const camera = createCamera();
	const pose = new Float32Array(POSE.length);
	/** A pose before that one: where a light ends. */
	const past = new Float32Array(POSE.length);
	let pixelRatio = 0;
	let drawCalls = 0;
	let quietZone: ArrayLike<number> = [];

	const span = () => Math.sqrt(camera.width * camera.height) / 2;
	const xOf = (at: Float32Array) =>
		((at[POSE.x] + 1) * camera.width) / 2 + at[POSE.offsetX] * span();
	const yOf = (at: Float32Array) =>
		((1 - at[POSE.y]) * camera.height) / 2 - at[POSE.offsetY] * span();

	/** Px to the nearest quiet zone from what reaches so many px both ways: the shader's `room`. */
	function roomAt(x: number, y: number, reach: number): number {
		let room = Number.POSITIVE_INFINITY;
		for (let i = 0; i + 3 < quietZone.length; i += 4) {
			const halfWidth = quietZone[i + 2] / 2;
			const halfHeight = quietZone[i + 3] / 2;
			if (halfWidth === 0) continue;
			const awayX = Math.max(Math.abs(x - quietZone[i] - halfWidth) - halfWidth - reach, 0);
			const awayY = Math.max(Math.abs(y - quietZone[i + 1] - halfHeight) - halfHeight - reach, 0);
			room = Math.min(room, Math.sqrt(awayX * awayX + awayY * awayY));
		}
		return room;
	}

	const quietAt = (x: number, y: number, reach: number) => smooth(roomAt(x, y, reach) / QUIET.fade);

	/** Draws a cell around a place that is turned by an angle. All but the angle is in CSS px. */
	function drawCell(
		cell: number,
		x: number,
		y: number,
		width: number,
		height: number,
		angle: number,
	): void {
		const cos = Math.cos(angle) * pixelRatio;
		const sin = Math.sin(angle) * pixelRatio;
		const { left, top } = cellAt(cell);
		context.setTransform(cos, -sin, sin, cos, x * pixelRatio, y * pixelRatio);
		drawCalls++;
		context.drawImage(atlas, left, top, CELL, CELL, -width / 2, -height / 2, width, height);
	}

	function drawLight(slot: number, light: Light, { time, night }: Readonly<Picture>): void {
		const { records } = simulation;
		const r = slot * STRIDE;
		const birth = records.ints[r + FIELD.birth];
		const kind = records.floats[r + FIELD.kind];
		const flash = light.lag === FLASH;
		writePose(records, slot, flash ? birth : Math.max(birth, time - light.lag), past);
		const head = flash ? past : pose;
		const pathX = xOf(head) - xOf(past);
		const pathY = yOf(head) - yOf(past);
		const x = xOf(past) + pathX / 2;
		const y = yOf(past) + pathY / 2;
		const stretch = Math.sqrt(pathX * pathX + pathY * pathY) / 2;
		const size = pose[POSE.size] * growthAt(span());
		const radius = flash ? Math.min(light.radius * span(), roomAt(x, y, 0)) : light.radius * size;
		const quiet = flash ? 1 : quietAt(x, y, stretch + radius);
		const brightness = brightnessOf(kind, flash, time - birth) * pose[POSE.opacity] * quiet;
		context.globalAlpha = brightness * (SHINE.byDay + (1 - SHINE.byDay) * night);
		if (context.globalAlpha < SHINE.least) return;
		const glow = 2 / ATLAS.glyphShare;
		const angle = stretch > 0 ? Math.atan2(-pathX, -pathY) : 0;
		drawCell(lightCellOf(simulation, slot), x, y, radius * glow, (stretch + radius) * glow, angle);
	}

	function drawParticle(slot: number, picture: Readonly<Picture>): void {
		const { records } = simulation;
		writePose(records, slot, picture.time, pose);
		const hasDepth = isInDepth(records.floats[slot * STRIDE + FIELD.kind]);
		const { near, far } = DEPTH.parallax;
		let size = pose[POSE.size];
		let [x, y] = [xOf(pose), yOf(pose)];
		if (hasDepth) {
			const nearness = nearnessOf(size);
			x -= picture.leanX * (far + (near - far) * nearness);
			y -= picture.leanY * (far + (near - far) * nearness);
			pose[POSE.opacity] *= picture.clarity;
			pose[POSE.opacity] *= DEPTH.pale + (1 - DEPTH.pale) * nearness;
		} else {
			context.globalCompositeOperation = "lighter";
			for (const light of lightsOf(simulation, slot)) drawLight(slot, light, picture);
			context.globalCompositeOperation = "source-over";
			size *= growthAt(span());
		}
		const angle = pose[POSE.turn] * TURN;
		const seen = quietAt(x, y, reachOf(size, angle));
		context.globalAlpha = pose[POSE.opacity] * seen;
		if (context.globalAlpha === 0) return;
		const side = (size / ATLAS.glyphShare) * (QUIET.least + (1 - QUIET.least) * seen);
		const emoji = records.floats[slot * STRIDE + FIELD.emoji];
		drawCell(emoji, x, y, side, side, angle);
	}

	/** Wipes what has been drawn where the style sheet's sphere is in front of it. */
	function wipeSphere(): void {
		const { sphere, width, height } = camera;
		context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
		context.globalAlpha = 1;
		context.globalCompositeOperation = "destination-out";
		context.beginPath();
		const x = ((sphere[VIEW.middleX] + 1) * width) / 2;
		const y = ((1 - sphere[VIEW.middleY]) * height) / 2;
		context.arc(x, y, (sphere[VIEW.radiusX] * width) / 2, 0, TURN);
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
			context.canvas.width = Math.max(1, Math.round(width * ratio));
			context.canvas.height = Math.max(1, Math.round(height * ratio));
		},
		setQuietZone(rectangles) {
			quietZone = rectangles;
		},
		draw(picture) {
			const { records, slots } = simulation;
			aim(camera, picture);
			context.setTransform(1, 0, 0, 1, 0, 0);
			context.clearRect(0, 0, context.canvas.width, context.canvas.height);
			drawCalls = 0;
			for (const behind of [true, false]) {
				for (let slot = 0; slot < slots; slot++) {
					if (isAlive(records, slot, picture.time) && isBehind(simulation, slot) === behind) {
						drawParticle(slot, picture);
					}
				}
				if (behind && drawCalls > 0) wipeSphere();
			}
		},
		destroy() {
			context.setTransform(1, 0, 0, 1, 0, 0);
			context.clearRect(0, 0, context.canvas.width, context.canvas.height);
		},
	};
}

/** Whether a particle is farther away than the sphere. */
function isBehind({ records: { floats } }: Simulation, slot: number): boolean {
	const record = slot * STRIDE;
	if (!isInDepth(floats[record + FIELD.kind])) return true;
	return nearnessOf(floats[record + FIELD.size]) < DEPTH.behind;
}
