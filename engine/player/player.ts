/**
 * Plays the simulation on a surface. The same player runs in a worker and on the page's thread:
 *
 *     frame ─► may I? (quality, pace) ─► clock ─► steps ─► draw ─► fence ─► quality
 *
 * It asks for frames only while something moves, or once when something else must be seen: hidden,
 * paused or still it costs nothing.
 */

import type { Facts, PlayerSettings, Stats } from "../messages.ts";
import type { Picture, Renderer } from "../render/renderer.ts";
import { fingerprint } from "../simulation/fingerprint.ts";
import { createDirector } from "./director.ts";
import { decideFrame } from "./frame-decision.ts";
import { witness } from "./quality/display.ts";
import { nextTry } from "./quality/ladder.ts";
import {
	climb,
	createQuality,
	disturb,
	type FrameOutcome,
	isDue,
	isListening,
	levelOf,
	noteFrame,
	startOver,
	stillLevelOf,
} from "./quality/quality.ts";
import { countPixels, isOtherSize, usefulRatio } from "./resolution.ts";
import { createStatsCollector } from "./stats.ts";
import type { Surface } from "./surface.ts";

/** What the player has to say. */
export interface PlayerEvents {
	/** The first frame is finished; or what is on the canvas is gone. */
	shown(shown: boolean): void;
	/** At most four times a second, and only when settings ask for it. */
	stats(stats: Stats): void;
	/** The player cannot go on; `final` when no other backend would fare better. */
	failed(reason: string, final: boolean): void;
}

/** The display's frames: `requestAnimationFrame` of whichever thread this is. */
export interface Frames {
	request(callback: (timeMs: number) => void): number;
	cancel(id: number): void;
}

const display: Frames = {
	request: (callback) => requestAnimationFrame(callback),
	cancel: (id) => cancelAnimationFrame(id),
};

export interface Player {
	set(facts: Partial<Facts>): void;
	/** Goes to a tick, which is drawn once more. */
	seek(tick: number): void;
	/**
	 * Frames so far, and whether there should be more.
	 * @param period ms from one frame of the display to the next, where the page's thread sees it, too
	 */
	pulse(period?: number): { frames: number; due: boolean; tick: number };
	destroy(): void;
}

/** Losses within ms after which there is no point in going on. */
const LOSSES = { count: 3, withinMs: 60_000 };

/**
 * Starts to play.
 * @throws Error when the surface cannot be drawn on
 */
export function createPlayer(
	surface: Surface,
	settings: PlayerSettings,
	given: Facts,
	tell: PlayerEvents,
	frames: Frames = display,
): Player {
	const facts: Facts = { ...given };
	const { pace } = surface;
	const director = createDirector(settings, facts.salutes);
	const { simulation } = director;
	const hints = {
		...settings.device,
		software: surface.software,
		onPage: settings.backend !== "worker",
	};
	const quality = createQuality(hints, pace.fenced, usefulRatio(facts), settings.level);
	const collected = createStatsCollector();
	const picture: Picture = { time: 0, night: 0, detail: "fine" };
	let renderer: Renderer | undefined = surface.createRenderer(simulation);

	/** The request for the next frame, if there is one. */
	let requested: number | undefined;
	let frameCount = 0;
	let latestMs = 0;
	/** There is something new to see that need not wait for motion. */
	let stale = true;
	/** Whether a frame has been drawn, and whether it is known to be finished. */
	let drawn = false;
	let shown = false;
	/** Whether the next frame follows none; and whether so many pixels change that levels are void. */
	let disturbed = false;
	let otherSize = false;
	let pixels = countPixels(facts);
	let retry: ReturnType<typeof setTimeout> | undefined;
	const losses: number[] = [];

	const isVisible = () =>
		renderer !== undefined &&
		facts.seen &&
		facts.width > 0 &&
		facts.height > 0 &&
		facts.scene !== "none";
	const mayMove = () => !facts.paused && !facts.still && !settings.frozen;
	const canMove = () => mayMove() && levelOf(quality).every > 0;
	const isMoving = () => isVisible() && canMove();

	function ask(): void {
		const wanted = isMoving() || (isVisible() && (stale || (drawn && !shown)));
		if (wanted) requested ??= frames.request(handleFrame);
		else if (requested !== undefined) {
			frames.cancel(requested);
			requested = undefined;
		}
	}

	function handleFrame(timeMs: number): void {
		requested = undefined;
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
		const free = pace.isFree();
		if (free && drawn && !shown) {
			shown = true;
			tell.shown(true);
		}
		const moving = isMoving();
		if (disturbed) {
			if (otherSize) startOver(quality, usefulRatio(facts), timeMs);
			else disturb(quality, timeMs);
			disturbed = false;
			otherSize = false;
		}
		const due = !isListening(quality) && isDue(quality, timeMs);
		const outcome = decideFrame(moving, stale, due, free);
		if (outcome === "idle") return;
		if (outcome === "busy") collected.noteSkipped();
		if (outcome === "drawn") {
			if (moving) director.move(timeMs);
			draw(timeMs);
		}
		if (moving) note(timeMs, outcome);
	}

	function draw(timeMs: number): void {
		const level = mayMove() ? levelOf(quality) : stillLevelOf(quality);
		const pixelRatio = Math.min(level.pixelRatio, usefulRatio(facts));
		// A new size wipes the canvas, so it is set in the task that draws.
		renderer?.resize(facts.width, facts.height, pixelRatio);
		director.writeMoment(picture, timeMs);
		picture.detail = level.detail;
		renderer?.draw(picture);
		pace.mark();
		stale = false;
		drawn = true;
		if (settings.stats) sendStats(timeMs, pixelRatio);
	}

	function note(timeMs: number, outcome: FrameOutcome): void {
		if (!noteFrame(quality, timeMs, outcome)) return;
		if (levelOf(quality).every > 0) return;
		retry = setTimeout(tryMoving, nextTry(quality.ladder) - timeMs);
		if (director.endDusk()) stale = true;
	}

	/** Moves again after a back-off, where the device was too slow for anything but a still picture. */
	function tryMoving(): void {
		retry = undefined;
		// The latest frame was minutes ago: counted from there, no climb would ever be on probation.
		climb(quality, Math.max(latestMs, nextTry(quality.ladder)));
		resume();
		ask();
	}

	function resume(): void {
		director.resume();
		disturbed = true;
	}

	function sendStats(timeMs: number, pixelRatio: number): void {
		collected.noteDrawn(timeMs);
		if (isMoving() && !collected.isDue(timeMs)) return;
		tell.stats({
			backend: settings.backend,
			level: quality.ladder.level,
			pixelRatio,
			tick: simulation.tick,
			dropped: director.dropped,
			drawCalls: renderer?.drawCalls ?? 0,
			fingerprint: fingerprint(simulation),
			...collected.take(timeMs),
		});
	}

	function direct(): void {
		if (!director.direct(facts, canMove(), latestMs)) return;
		stale = true;
		disturbed = true;
	}

	function handleLost(timeMs: number): void {
		renderer?.destroy();
		renderer = undefined;
		pace.forget();
		stale = true;
		drawn = false;
		if (shown) tell.shown(false);
		shown = false;
		losses.push(timeMs);
		const first = losses.at(-LOSSES.count);
		if (first !== undefined && timeMs - first < LOSSES.withinMs)
			fail(new Error(`The context was lost ${LOSSES.count} times within a minute.`), true);
		else ask();
	}

	function handleReturned(): void {
		try {
			renderer = surface.createRenderer(simulation);
		} catch (error) {
			// Lost again meanwhile: it will return again, or has been given up.
			if (!surface.isLost()) fail(error);
			return;
		}
		renderer.setQuietZone(facts.quietZone);
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

	renderer.setQuietZone(facts.quietZone);
	direct();
	ask();

	return {
		set(changed) {
			const wasMoving = isMoving();
			Object.assign(facts, changed);
			if (changed.quietZone) {
				renderer?.setQuietZone(changed.quietZone);
				stale = true;
			}
			if ("width" in changed || "height" in changed || "pixelRatio" in changed) {
				const before = pixels;
				pixels = countPixels(facts);
				otherSize ||= isOtherSize(before, pixels);
				stale = true;
				disturbed = true;
			}
			direct();
			director.salute(facts.salutes, isMoving());
			if (isMoving() && !wasMoving) resume();
			// What is stopped is drawn once more, as well as it can be.
			if (wasMoving && !mayMove() && levelOf(quality) !== stillLevelOf(quality)) stale = true;
			ask();
		},
		seek(tick) {
			director.seek(tick);
			stale = true;
			ask();
		},
		pulse(period = 0) {
			if (period > 0) witness(quality.display, period);
			return { frames: frameCount, due: isMoving(), tick: simulation.tick };
		},
		destroy() {
			stop();
			surface.destroy();
		},
	};
}
