/** Decides which scene plays, from which tick, and how dark the sky is. */
import type { PageState, PlayerSettings } from "../messages.ts";
import type { Picture } from "../render/renderer.ts";
import { advanceClock, createClock, resetClock } from "../simulation/clock.ts";
import {
	createSimulation,
	restoreSimulation,
	type Scene,
	type Simulation,
	salute,
	sceneOf,
	seek,
	setScene,
	step,
} from "../simulation/index.ts";
import { advanceDusk, createDuskTransition, endDusk, startDusk } from "./dusk.ts";

/** The tick of each scene that looks best as a still picture. */
const STILL_TICK: Readonly<Record<Scene, number>> = {
	none: 0,
	drift: 1500,
	fireworks: 400,
	both: 1500,
};

/** 1 for night scenes, in which the sphere has set. */
export const NIGHT: Readonly<Record<Scene, number>> = { none: 0, drift: 0, fireworks: 1, both: 1 };

export interface Director {
	readonly simulation: Simulation;
	readonly dropped: number;
	/** Writes `time`, `night` and `sunken`, because V8 would box returned numbers. */
	writeTimes(picture: Picture, timeMs: number): void;
	move(timeMs: number): void;
	resume(): void;
	/** Switches to the wanted scene, or to its still picture. @returns whether the picture changed */
	direct(wanted: Readonly<PageState>, canMove: boolean, timeMs: number): boolean;
	salute(count: number, moving: boolean): void;
	seek(tick: number): void;
	/** Skips to the end of a transition between day and night. @returns whether one was running */
	endDusk(): boolean;
}

/** @param salutes how many were requested before the player started: these are not launched */
export function createDirector(
	{ seed, inputs, from = 0, frozen = false }: PlayerSettings,
	salutes: number,
): Director {
	const simulation = inputs
		? restoreSimulation({ seed, inputs, tick: from })
		: createSimulation(seed, "none");
	let clock = createClock();
	let scene: Scene = sceneOf(simulation);
	let dark = false;
	let dusk = createDuskTransition(NIGHT[scene]);
	let setting = createDuskTransition(NIGHT[scene]);
	let sceneAt = 0;
	let played = false;
	let saluted = salutes;

	/** Dark mode darkens the sky, but only night scenes make the sphere set. */
	function turnSky(timeMs: number, atOnce = false): void {
		const night = dark ? 1 : NIGHT[scene];
		if (atOnce) {
			dusk = createDuskTransition(night);
			setting = createDuskTransition(NIGHT[scene]);
		} else {
			startDusk(dusk, night, timeMs);
			startDusk(setting, NIGHT[scene], timeMs);
		}
	}

	function followInputs(timeMs: number): void {
		if (!inputs || sceneOf(simulation) === scene) return;
		scene = sceneOf(simulation);
		turnSky(timeMs);
	}

	function begin(wanted: Scene, timeMs: number): void {
		const first = scene === "none";
		scene = wanted;
		setScene(simulation, scene);
		sceneAt = simulation.tick;
		played = first && from > 0;
		if (first || frozen) seek(simulation, sceneAt + from);
		turnSky(timeMs, first);
	}

	function seekStillTick(still: boolean): boolean {
		const good = sceneAt + STILL_TICK[scene];
		if (frozen || (played && !still) || simulation.tick >= good) return false;
		seek(simulation, good);
		return true;
	}

	function stopDusk(): boolean {
		if (dusk.from === dusk.to && setting.from === setting.to) return false;
		endDusk(dusk);
		endDusk(setting);
		return true;
	}

	return {
		simulation,
		get dropped() {
			return clock.dropped;
		},
		writeTimes(picture, timeMs) {
			picture.time = frozen ? simulation.tick : simulation.tick + clock.fraction;
			picture.night = advanceDusk(dusk, timeMs);
			picture.sunken = advanceDusk(setting, timeMs);
		},
		move(timeMs) {
			// A worker's first frame can have a negative time.
			const ticks = advanceClock(clock, Math.max(0, Math.round(timeMs * 1000)));
			for (let tick = 0; tick < ticks; tick++) step(simulation);
			if (ticks > 0) played = true;
			followInputs(timeMs);
		},
		resume: () => resetClock(clock),
		direct(wanted, canMove, timeMs) {
			if (wanted.scene === "none") return false;
			let changed = wanted.dark !== dark;
			if (changed) {
				dark = wanted.dark;
				turnSky(timeMs);
			}
			if (!inputs && wanted.scene !== scene) {
				begin(wanted.scene, timeMs);
				changed = true;
			}
			if (canMove) return changed;
			if (stopDusk()) changed = true;
			if (!inputs && seekStillTick(wanted.still)) changed = true;
			return changed;
		},
		salute(count, moving) {
			// A salute requested while motion is off is dropped.
			if (count > saluted && moving) salute(simulation);
			saluted = count;
		},
		seek(tick) {
			seek(simulation, tick);
			// A new clock has no fraction of a tick, so a tick looks the same after every seek.
			clock = createClock();
			played = true;
			followInputs(0);
			stopDusk();
		},
		endDusk: stopDusk,
	};
}
