/**
 * Plays the simulation on a surface, in a worker or on the page's thread:
 *
 *     frame ─► due? (pacer, quality) ─► clock ─► steps ─► draw ─► fence ─► quality
 *
 * A hidden, paused or still picture requests no frames.
 */

import {
	isMotionAllowed,
	isVisible,
	type PageState,
	type PlayerEvents,
	type PlayerSettings,
} from "../messages.ts";
import { createPicture, type Renderer } from "../render/renderer.ts";
import { createDirector } from "./director.ts";
import { createFrameRequester, displayScheduler, type FrameScheduler } from "./frames.ts";
import type { DeviceHints } from "./quality/ladder.ts";
import {
	createQuality,
	ignoreNextInterval,
	isFrameDue,
	levelOf,
	noteDrawnFrame,
	resetQuality,
	retryMotion,
} from "./quality/quality.ts";
import { hasSizeChanged, resolutionOf } from "./resolution.ts";
import { createFloatReveal, revealFloats } from "./reveal.ts";
import { createFirstFrameReporter } from "./showing.ts";
import { createStatsSender } from "./stats.ts";
import type { Surface } from "./surface.ts";
import { animateInputResponse, createInputResponse, startBreathAtInput } from "./touch.ts";

export interface Player {
	set(pageState: Partial<PageState>): void;
	seek(tick: number): void;
	pulse(): { frames: number; due: boolean; tick: number };
	destroy(): void;
}

const LOSSES = { count: 3, withinMs: 60_000 };

export function createPlayer(
	surface: Surface,
	settings: PlayerSettings,
	given: PageState,
	tell: PlayerEvents,
	frames: FrameScheduler = displayScheduler,
): Player {
	const pageState: PageState = { ...given };
	const { pacer } = surface;
	const director = createDirector(settings, pageState.salutes);
	let resolution = resolutionOf(pageState);
	const ratioForLevels = () => resolution.ratio / resolution.density;
	let learned = resolution;
	const hints = hintsOf(settings, surface);
	const quality = createQuality(hints, ratioForLevels(), settings.level);
	const showing = createFirstFrameReporter(pacer, tell.shown);
	const stats = settings.stats
		? createStatsSender(settings.backend, director, quality, tell.stats)
		: undefined;
	const picture = createPicture();
	const touch = createInputResponse(pageState);
	const revealed = createFloatReveal();
	let renderer: Renderer | undefined = surface.createRenderer(director.simulation);

	const request = createFrameRequester(frames, handleFrame);
	let frameCount = 0;
	let latestMs = 0;
	let drawnRatio = 0;
	let stale = true;
	/** Whether the next frame interval spans a pause, a resize or a scene change, and must not count. */
	let disturbed = false;
	let retry: ReturnType<typeof setTimeout> | undefined;
	const losses: number[] = [];

	const canDraw = () => renderer !== undefined && isVisible(pageState);
	const canMove = () =>
		isMotionAllowed(pageState) && !settings.frozen && levelOf(quality).every > 0;
	const isMoving = () => canDraw() && canMove();

	function wantedRatio(): number {
		// Any device can draw a single picture at full resolution.
		if (!canMove() && !quality.fixed) return resolution.ratio;
		return Math.min(levelOf(quality).pixelRatio * resolution.density, resolution.ratio);
	}

	function ask(): void {
		// When motion stops, a still picture at full resolution replaces the last frame.
		if (!canMove() && drawnRatio !== wantedRatio()) stale = true;
		request(canDraw() && (canMove() || stale || showing.isPending()));
	}

	function handleFrame(timeMs: number): void {
		frameCount++;
		latestMs = timeMs;
		try {
			play(timeMs);
		} catch (error) {
			fail(error);
			return;
		}
		ask();
	}

	function play(timeMs: number): void {
		const free = showing.pollFree();
		const moving = isMoving();
		if (disturbed) tellQuality();
		if (!moving && !stale) return;
		const due = stale || isFrameDue(quality, timeMs);
		if (due && !free) stats?.noteSkipped();
		if (due && free) {
			if (moving) {
				director.move(timeMs);
				animateInputResponse(touch, picture, pageState, timeMs);
			}
			draw(timeMs);
			if (moving) note(timeMs);
		}
	}

	function tellQuality(): void {
		disturbed = false;
		if (hasSizeChanged(learned, resolution)) {
			learned = resolution;
			resetQuality(quality, ratioForLevels());
		} else ignoreNextInterval(quality);
	}

	function draw(timeMs: number): void {
		drawnRatio = wantedRatio();
		// In the same task as `draw`, because resizing clears the canvas.
		renderer?.resize(pageState.width, pageState.height, drawnRatio);
		const final = !isMoving() || quality.fixed;
		revealFloats(revealed, picture, drawnRatio, final, timeMs);
		director.writeTimes(picture, timeMs);
		renderer?.draw(picture);
		showing.mark();
		stale = false;
		stats?.noteDrawn(timeMs, drawnRatio, renderer?.drawCalls ?? 0, !isMoving());
	}

	function note(timeMs: number): void {
		if (!noteDrawnFrame(quality, timeMs)) return;
		if (levelOf(quality).every > 0) return;
		retry = setTimeout(tryMoving, quality.retryAt - timeMs);
		if (director.endDusk()) stale = true;
	}

	function tryMoving(): void {
		retry = undefined;
		retryMotion(quality);
		resume();
		ask();
	}

	function resume(): void {
		director.resume();
		disturbed = true;
	}

	function direct(): void {
		if (!director.direct(pageState, canMove(), latestMs)) return;
		stale = true;
		disturbed = true;
	}

	function handleLost(timeMs: number): void {
		renderer?.destroy();
		renderer = undefined;
		showing.forget();
		stale = true;
		losses.push(timeMs);
		const first = losses.at(-LOSSES.count);
		if (first !== undefined && timeMs - first < LOSSES.withinMs) {
			fail(new Error(`The context was lost ${LOSSES.count} times within a minute.`), true);
		} else {
			ask();
		}
	}

	function handleReturned(): void {
		try {
			renderer = surface.createRenderer(director.simulation);
		} catch (error) {
			// If the context is already lost again, does not fail, but waits for its return.
			if (!surface.isLost()) fail(error);
			return;
		}
		renderer.setQuietZone(pageState.quietZone);
		resume();
		ask();
	}

	const unwatch = surface.watch(handleLost, handleReturned);

	function stop(): void {
		unwatch();
		clearTimeout(retry);
		renderer?.destroy();
		renderer = undefined;
		ask();
	}

	function fail(error: unknown, final = false): void {
		stop();
		tell.failed(error instanceof Error ? error.message : String(error), final);
	}

	renderer.setQuietZone(pageState.quietZone);
	quality.sparing = pageState.sparing;
	direct();
	ask();

	return {
		set(changed) {
			const wasMoving = isMoving();
			const before = { ...pageState };
			Object.assign(pageState, changed);
			if (changed.quietZone) {
				renderer?.setQuietZone(changed.quietZone);
				stale = true;
			}
			if ("width" in changed || "height" in changed || "pixelRatio" in changed) {
				resolution = resolutionOf(pageState);
				stale = true;
				disturbed = true;
			}
			quality.sparing = pageState.sparing;
			direct();
			director.salute(pageState.salutes, isMoving());
			if (isMoving()) startBreathAtInput(touch, before, pageState);
			if (isMoving() && !wasMoving) resume();
			ask();
		},
		seek(tick) {
			director.seek(tick);
			stale = true;
			ask();
		},
		pulse: () => ({ frames: frameCount, due: isMoving(), tick: director.simulation.tick }),
		destroy() {
			stop();
			surface.destroy();
		},
	};
}

function hintsOf({ device, backend }: PlayerSettings, { software }: Surface): DeviceHints {
	return { ...device, software, onPage: backend !== "worker", flat: backend === "flat" };
}
