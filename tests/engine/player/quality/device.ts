/** A simulated device: a display, a GPU and a page that stalls. Its noise is seeded. */
import { type DeviceHints, QUALITY_LEVELS } from "../../../../engine/player/quality/ladder.ts";
import {
	createQuality,
	ignoreNextInterval,
	isFrameDue,
	noteDrawnFrame,
	type Quality,
	retryMotion,
} from "../../../../engine/player/quality/quality.ts";
import { drawRandom } from "../../../../engine/simulation/random.ts";

/** A frame's cost varies by this share. */
const NOISE = 0.1;
const JITTER_MS = 0.3;

export interface Device {
	/** GPU ms per frame at this level and time. */
	cost(level: number, seconds: number): number;
	/** Display rate at this time. */
	hertz?(seconds: number): number;
	/** Page stalls in ms: time between their starts, and mean duration. */
	stall?: { everyMs: number; forMs: number };
	pixelRatio?: number;
	hints?: Partial<DeviceHints>;
	/** Whether the GPU has fences. Without them a slow GPU delays the display's frames. */
	fenced?: boolean;
	seed?: number;
}

export interface LevelChange {
	seconds: number;
	to: number;
}

export interface DeviceRun {
	quality: Quality;
	changes: LevelChange[];
	/** Drawn frames per second in the run's last tenth. */
	fps: number;
}

/** Seeded numbers from 0 to 1. */
function createChance(seed: number): () => number {
	const value = new Float64Array(1);
	let ordinal = 0;
	return () => {
		drawRandom(Uint32Array.of(seed), 0, ordinal++, value);
		return value[0]!;
	};
}

/** GPU ms per frame. Only the pixels' part depends on the level. */
export function gpuCosts(
	pixelsMs: number,
	verticesMs: number,
	fixedMs = 1,
): (level: number) => number {
	return (level) => {
		const { pixelRatio } = QUALITY_LEVELS[level] ?? { pixelRatio: 0 };
		return fixedMs + pixelsMs * pixelRatio ** 2 + verticesMs;
	};
}

export function playOnDevice(device: Device, seconds: number): DeviceRun {
	const { hertz = () => 60, fenced = true, stall } = device;
	const chance = createChance(device.seed ?? 1);
	const hints: DeviceHints = { software: false, onPage: false, ...device.hints };
	const quality = createQuality(hints, device.pixelRatio ?? 2);
	const changes: LevelChange[] = [];
	let lately = 0;
	let vsync = 1000;
	let gpuFreeAt = 0;
	let pageFreeAt = 0;
	let nextStall = 1000 + (stall?.everyMs ?? 0);
	while (vsync < 1000 + seconds * 1000) {
		const now = (vsync - 1000) / 1000;
		vsync += 1000 / hertz(now);
		if (stall && vsync >= nextStall) {
			pageFreeAt = vsync + stall.forMs * (0.5 + chance());
			nextStall += stall.everyMs;
		}
		if (vsync < pageFreeAt || (!fenced && vsync < gpuFreeAt)) continue;
		const timeMs = vsync + (chance() - 0.5) * 2 * JITTER_MS;
		let changed = false;
		if (quality.level === 0) {
			// At level 0 the player requests no frames, and retries by a timer.
			if (timeMs >= quality.retryAt) {
				ignoreNextInterval(quality);
				retryMotion(quality);
				changed = true;
			}
		} else if (isFrameDue(quality, timeMs) && vsync >= gpuFreeAt) {
			const cost = device.cost(quality.level, now) * (1 + (chance() - 0.5) * 2 * NOISE);
			gpuFreeAt = vsync + cost;
			if (now > seconds * 0.9) lately++;
			changed = noteDrawnFrame(quality, timeMs);
		}
		if (changed) changes.push({ seconds: now, to: quality.level });
	}
	return { quality, changes, fps: lately / (seconds * 0.1) };
}
