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
import type { Looks } from "./looks.ts";
import { QUIET, type Renderer, reachOf } from "./renderer.ts";

const TURN = 2 * Math.PI;

/**
 * Draws the same sprites without WebGL, over the style sheet's sphere, which stays in sight.
 *
 * Each sprite is one `drawImage` from the atlas: 0.46 ms a frame for 32 of them, where painting
 * them as text took 17 ms (both measured on two slow cores). Rockets have no trails here.
 */
export function createFlatRenderer(
	context: Context2d,
	simulation: Simulation,
	looks?: Looks,
): Renderer {
	const atlas = createAtlas(looks);
	const pose = new Float32Array(POSE.length);
	let width = 1;
	let height = 1;
	let pixelRatio = 0;
	let drawCalls = 0;
	let quietZone: ArrayLike<number> = [];

	/** Px from a place to the nearest quiet zone: the shader's `room`. */
	function roomAt(x: number, y: number): number {
		let room = Number.POSITIVE_INFINITY;
		for (let i = 0; i + 3 < quietZone.length; i += 4) {
			const halfWidth = quietZone[i + 2] / 2;
			const halfHeight = quietZone[i + 3] / 2;
			if (halfWidth === 0) continue;
			const awayX = Math.max(Math.abs(x - quietZone[i] - halfWidth) - halfWidth, 0);
			const awayY = Math.max(Math.abs(y - quietZone[i + 1] - halfHeight) - halfHeight, 0);
			room = Math.min(room, Math.sqrt(awayX * awayX + awayY * awayY));
		}
		return room;
	}

	return {
		get drawCalls() {
			return drawCalls;
		},
		resize(nextWidth, nextHeight, ratio) {
			if (nextWidth === width && nextHeight === height && ratio === pixelRatio) return;
			width = nextWidth;
			height = nextHeight;
			pixelRatio = ratio;
			context.canvas.width = Math.max(1, Math.round(width * ratio));
			context.canvas.height = Math.max(1, Math.round(height * ratio));
		},
		setQuietZone(rectangles) {
			quietZone = rectangles;
		},
		draw({ time }) {
			const { records, slots } = simulation;
			const span = Math.sqrt(width * height) / 2;
			context.setTransform(1, 0, 0, 1, 0, 0);
			context.clearRect(0, 0, context.canvas.width, context.canvas.height);
			drawCalls = 0;
			for (let slot = 0; slot < slots; slot++) {
				if (!isAlive(records, slot, time)) continue;
				writePose(records, slot, time, pose);
				const x = ((pose[POSE.x] + 1) * width) / 2 + pose[POSE.offsetX] * span;
				const y = ((1 - pose[POSE.y]) * height) / 2 - pose[POSE.offsetY] * span;
				const size = pose[POSE.size];
				const quiet = smooth((roomAt(x, y) - reachOf(size)) / QUIET.fade);
				context.globalAlpha = pose[POSE.opacity] * quiet;
				if (context.globalAlpha === 0) continue;
				const cos = Math.cos(pose[POSE.turn] * TURN) * pixelRatio;
				const sin = Math.sin(pose[POSE.turn] * TURN) * pixelRatio;
				context.setTransform(cos, -sin, sin, cos, x * pixelRatio, y * pixelRatio);
				const emoji = records.floats[slot * STRIDE + FIELD.emoji];
				const { left, top } = cellAt(emoji);
				const side = size / ATLAS.glyphShare;
				drawCalls++;
				context.drawImage(atlas, left, top, CELL, CELL, -side / 2, -side / 2, side, side);
			}
		},
		destroy() {
			context.setTransform(1, 0, 0, 1, 0, 0);
			context.clearRect(0, 0, context.canvas.width, context.canvas.height);
		},
	};
}
