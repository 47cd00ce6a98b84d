/**
 * A device that only exists in numbers: a display, a GPU and a page that stalls, seeded. It plays
 * against the real quality as the player would and says what came of it.
 */
import {
	climb,
	createQuality,
	forgive,
	type Hints,
	isDue,
	isListening,
	LADDER,
	noteDisplay,
	noteFrame,
	type Quality,
	stillUntil,
} from "../../../engine/player/quality/quality.ts";

export interface Device {
	/** ms that the GPU takes for a picture at a level, at a time in seconds. */
	cost(level: number, seconds: number): number;
	/** The display's rate at a time in seconds. */
	hertz?(seconds: number): number;
	/** Times in ms at which the page stalls within a second, and for how long. */
	stall?: { everyMs: number; forMs: number };
	/** Greatest error of a frame's timestamp in ms. */
	jitterMs?: number;
	/** Share by which a picture's cost varies. */
	noise?: number;
	pixelRatio?: number;
	hints?: Partial<Hints>;
	/** Without, a slow GPU holds up the frames of the display instead. */
	fenced?: boolean;
	/** It does so with fences, too, which then are always free; the page sees the display each second. */
	held?: boolean;
	seed?: number;
}

export interface Change {
	seconds: number;
	from: number;
	to: number;
}

export interface Run {
	quality: Quality;
	changes: Change[];
	pictures: number;
	/** Pictures per second over the last tenth of the run. */
	fps: number;
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function createChance(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** The cost that grows as it was measured: with pixels first, then with vertices. */
export function costs(
	pixelsMs: number,
	verticesMs: number,
	fixedMs = 1,
): (level: number) => number {
	return (level) => {
		const { pixelRatio, detail } = LADDER[level] ?? { pixelRatio: 0, detail: "coarse" };
		return fixedMs + pixelsMs * pixelRatio ** 2 + verticesMs * (detail === "fine" ? 1 : 0.25);
	};
}

/** Plays for so many seconds. */
export function play(device: Device, seconds: number): Run {
	const { hertz = () => 60, jitterMs = 0.3, noise = 0.1, fenced = true, held, stall } = device;
	const chance = createChance(device.seed ?? 1);
	const hints: Hints = { software: false, onPage: false, ...device.hints };
	const quality = createQuality(hints, fenced, device.pixelRatio ?? 2);
	const changes: Change[] = [];
	let pictures = 0;
	let lately = 0;
	let vsync = 1000;
	let gpuFreeAt = 0;
	let pageFreeAt = 0;
	let nextStall = 1000 + (stall?.everyMs ?? 0);
	let nextWord = 2000;
	while (vsync < 1000 + seconds * 1000) {
		const now = (vsync - 1000) / 1000;
		vsync += 1000 / hertz(now);
		if (stall && vsync >= nextStall) {
			pageFreeAt = vsync + stall.forMs * (0.5 + chance());
			nextStall += stall.everyMs;
		}
		if (held && vsync >= nextWord) {
			noteDisplay(quality, 1000 / hertz(now));
			nextWord += 1000;
		}
		if (vsync < pageFreeAt || ((held || !fenced) && vsync < gpuFreeAt)) continue;
		const timeMs = vsync + (chance() - 0.5) * 2 * jitterMs;
		const from = quality.level;
		let changed = false;
		if (quality.level === 0) {
			// The player asks for no frames here; it sets one timer.
			if (timeMs >= stillUntil(quality)) {
				forgive(quality, timeMs);
				changed = climb(quality, timeMs);
			}
		} else if (isListening(quality) || !isDue(quality, timeMs))
			changed = noteFrame(quality, timeMs, "passed");
		else if (vsync < gpuFreeAt) changed = noteFrame(quality, timeMs, "busy");
		else {
			const cost = device.cost(quality.level, now) * (1 + (chance() - 0.5) * 2 * noise);
			gpuFreeAt = vsync + cost;
			pictures++;
			if (now > seconds * 0.9) lately++;
			changed = noteFrame(quality, timeMs, "drawn");
		}
		if (changed) changes.push({ seconds: now, from, to: quality.level });
	}
	return { quality, changes, pictures, fps: lately / (seconds * 0.1) };
}
