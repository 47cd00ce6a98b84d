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
import { advance, createClock, resetClock } from "../simulation/clock.ts";
import { fingerprint } from "../simulation/fingerprint.ts";
import {
	createSimulation,
	restore,
	type Scene,
	salute,
	sceneOf,
	seek,
	setScene,
	step,
} from "../simulation/index.ts";
import { createDusk, endDusk, nightAt, turn } from "./dusk.ts";
import { LADDER } from "./quality/ladder.ts";
import {
	climb,
	createQuality,
	disturb,
	type FrameOutcome,
	isDue,
	isListening,
	levelOf,
	noteDisplay,
	noteFrame,
	startOver,
	stillUntil,
} from "./quality/quality.ts";
import type { Surface } from "./surface.ts";

/** What the player has to say. */
export interface PlayerEvents {
	/** The first picture is finished; or what is on the canvas is gone. */
	shown(shown: boolean): void;
	/** At most four times a second, and only when settings ask for it. */
	stats(stats: Stats): void;
	/** It cannot go on; `final` when no other way of drawing would fare better. */
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
	 * @param period ms from one frame of the display to the next, where somebody else sees it, too
	 */
	pulse(period?: number): { frames: number; due: boolean; tick: number };
	destroy(): void;
}

/** Ticks after the start of a scene at which it is a picture worth stopping at. */
const GOOD_MOMENT: Readonly<Record<Scene, number>> = {
	none: 0,
	drift: 1500,
	fireworks: 400,
	both: 1500,
};

/** Which scenes play at night. */
const NIGHT: Readonly<Record<Scene, number>> = { none: 0, drift: 0, fireworks: 1, both: 1 };

/** The most pixels that are drawn, whatever the display: those of 2560 x 1440. */
const MOST_PIXELS = 2560 * 1440;

/** Growth or shrinkage of the pixels from which the device is judged anew. */
const OTHER_SIZE = 1.25;

/** Losses within ms after which there is no point in going on. */
const LOSSES = { count: 3, withinMs: 60_000 };

const REPORT_EVERY_MS = 250;

/** Device pixels for each CSS px that could be drawn at most. */
function usefulRatio({ width, height, pixelRatio }: Facts): number {
	return Math.min(pixelRatio, Math.sqrt(MOST_PIXELS / Math.max(1, width * height)));
}

function countPixels(facts: Facts): number {
	return facts.width * facts.height * usefulRatio(facts) ** 2;
}

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
	const { from = 0, frozen = false, seed, inputs } = settings;
	const simulation = inputs
		? restore({ seed, inputs, tick: from })
		: createSimulation(seed, "none");
	let clock = createClock();
	const hints = {
		...settings.device,
		software: surface.software,
		onPage: settings.way !== "worker",
	};
	const quality = createQuality(hints, pace.fenced, usefulRatio(facts), settings.level);
	const dusk = createDusk(NIGHT[inputs ? sceneOf(simulation) : facts.scene]);
	const picture: Picture = { time: 0, night: 0, detail: "fine" };
	let renderer: Renderer | undefined = surface.createRenderer(simulation);

	/** The tick at which the scene began, and whether any of it has been played. */
	let scene: Scene = sceneOf(simulation);
	let sceneAt = 0;
	let played = false;
	/** Those that were asked for before there was a picture are over. */
	let { salutes } = facts;
	/** The request for the next frame, if there is one. */
	let requested: number | undefined;
	let frameCount = 0;
	let latestMs = 0;
	/** Something is to be seen that no moving picture will bring. */
	let stale = true;
	/** A picture has been drawn; it is known to be finished. */
	let drawn = false;
	let shown = false;
	/** The next frame goes on from nothing; or has so many pixels that it judges anew. */
	let disturbed = false;
	let otherSize = false;
	let pixels = countPixels(facts);
	let retry: ReturnType<typeof setTimeout> | undefined;
	const losses: number[] = [];
	const report = { frameTimes: new Float32Array(64), count: 0, skipped: 0, drawnMs: -1, sentMs: 0 };

	const isVisible = () =>
		renderer !== undefined &&
		facts.seen &&
		facts.width > 0 &&
		facts.height > 0 &&
		facts.scene !== "none";
	const mayMove = () => !facts.paused && !facts.still && !frozen;
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
		if (!moving && !stale) return;
		if (moving && !stale && (isListening(quality) || !isDue(quality, timeMs)))
			note(timeMs, "passed");
		else if (free) {
			if (moving) move(timeMs);
			draw(timeMs);
			if (moving) note(timeMs, "drawn");
		} else {
			report.skipped++;
			if (moving) note(timeMs, "busy");
		}
	}

	function move(timeMs: number): void {
		// A worker's clock can start after the frame that its first timestamp is of.
		const ticks = advance(clock, Math.max(0, Math.round(timeMs * 1000)));
		for (let tick = 0; tick < ticks; tick++) step(simulation);
		if (ticks > 0) played = true;
		if (inputs) follow();
	}

	function draw(timeMs: number): void {
		const level = mayMove() || quality.ladder.fixed ? levelOf(quality) : LADDER[quality.ladder.top];
		const pixelRatio = Math.min(level.pixelRatio, usefulRatio(facts));
		// A new size wipes the canvas, so it is set in the task that draws.
		renderer?.resize(facts.width, facts.height, pixelRatio);
		picture.time = frozen ? simulation.tick : simulation.tick + clock.fraction;
		picture.night = nightAt(dusk, timeMs);
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
		retry = setTimeout(tryMoving, stillUntil(quality) - timeMs);
		stopDusk();
	}

	/** A picture that stands still for the device's sake may move again some day. */
	function tryMoving(): void {
		retry = undefined;
		// The latest frame was minutes ago: counted from there, no climb would ever be on trial.
		climb(quality, Math.max(latestMs, stillUntil(quality)));
		resume();
		ask();
	}

	function resume(): void {
		resetClock(clock);
		disturbed = true;
	}

	function sendStats(timeMs: number, pixelRatio: number): void {
		if (report.drawnMs >= 0 && report.count < report.frameTimes.length)
			report.frameTimes[report.count++] = timeMs - report.drawnMs;
		report.drawnMs = timeMs;
		if (isMoving() && timeMs - report.sentMs < REPORT_EVERY_MS) return;
		tell.stats({
			way: settings.way,
			level: quality.ladder.level,
			pixelRatio,
			tick: simulation.tick,
			dropped: clock.dropped,
			skipped: report.skipped,
			drawCalls: renderer?.drawCalls ?? 0,
			fingerprint: fingerprint(simulation),
			frameTimes: report.frameTimes.slice(0, report.count),
		});
		report.sentMs = timeMs;
		report.count = 0;
		report.skipped = 0;
	}

	/** The scene is the inputs' to say: turns to the one that they have come to. */
	function follow(): void {
		if (sceneOf(simulation) === scene) return;
		scene = sceneOf(simulation);
		turn(dusk, NIGHT[scene], latestMs);
	}

	/** Turns to another scene, and to the moment of it that stands still, if it is to. */
	function direct(): void {
		if (facts.scene === "none") return;
		if (inputs) {
			follow();
			stopDusk();
			return;
		}
		if (facts.scene !== scene) {
			const first = scene === "none";
			scene = facts.scene;
			setScene(simulation, scene);
			sceneAt = simulation.tick;
			played = first && from > 0;
			if (first || frozen) seek(simulation, sceneAt + from);
			turn(dusk, NIGHT[scene], latestMs);
			if (first) endDusk(dusk);
			stale = true;
			disturbed = true;
		}
		if (canMove()) return;
		stopDusk();
		const good = sceneAt + GOOD_MOMENT[scene];
		if (!frozen && (facts.still || !played) && simulation.tick < good) {
			seek(simulation, good);
			stale = true;
		}
	}

	/** A picture that stands still is not half-way between morning and night. */
	function stopDusk(): void {
		if (canMove() || dusk.from === dusk.to) return;
		stale = true;
		endDusk(dusk);
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
				const growth = countPixels(facts) / pixels;
				otherSize ||= growth > OTHER_SIZE || growth < 1 / OTHER_SIZE;
				pixels = countPixels(facts);
				stale = true;
				disturbed = true;
			}
			direct();
			// Nothing is owed to who saw none because nothing was to move.
			if (facts.salutes > salutes && isMoving()) salute(simulation);
			salutes = facts.salutes;
			if (isMoving() && !wasMoving) resume();
			// What is stopped is drawn once more, as well as it can be: any device can draw one picture.
			if (
				wasMoving &&
				!mayMove() &&
				!quality.ladder.fixed &&
				quality.ladder.level < quality.ladder.top
			)
				stale = true;
			ask();
		},
		seek(tick) {
			seek(simulation, tick);
			// Begun anew, so that a tick is the same picture however it was come to.
			clock = createClock();
			played = true;
			if (inputs) follow();
			endDusk(dusk);
			stale = true;
			ask();
		},
		pulse(period = 0) {
			if (period > 0) noteDisplay(quality, period);
			return { frames: frameCount, due: isMoving(), tick: simulation.tick };
		},
		destroy() {
			stop();
			surface.destroy();
		},
	};
}
