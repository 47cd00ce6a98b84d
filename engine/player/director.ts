/**
 * Directs what plays: which scene, from which tick on, by day or night. Owns the simulation and its
 * clock.
 */
import type { Facts, PlayerSettings } from "../messages.ts";
import type { Picture } from "../render/renderer.ts";
import { advance, createClock, resetClock } from "../simulation/clock.ts";
import {
	createSimulation,
	restore,
	type Scene,
	type Simulation,
	salute,
	sceneOf,
	seek,
	setScene,
	step,
} from "../simulation/index.ts";
import { advanceDusk, createDusk, endDusk, turnTo } from "./dusk.ts";

/** Ticks after the start of a scene at which it is worth stopping at. */
const GOOD_MOMENT: Readonly<Record<Scene, number>> = {
	none: 0,
	drift: 1500,
	fireworks: 400,
	both: 1500,
};

/** In which scenes the sphere has set, and it is night. */
const NIGHT: Readonly<Record<Scene, number>> = { none: 0, drift: 0, fireworks: 1, both: 1 };

export interface Director {
	readonly simulation: Simulation;
	/** Ticks that stalls have cost. */
	readonly dropped: number;
	/** Writes the moment to draw at a frame's time in ms. Numbers that are returned would be boxed. */
	writeMoment(picture: Picture, timeMs: number): void;
	/** Plays on to a frame's time in ms. */
	move(timeMs: number): void;
	/** The time that has passed since the last move is not played. */
	resume(): void;
	/**
	 * Turns to the wanted scene. Where nothing can move it goes to a good moment of the scene.
	 * @param timeMs the latest frame's
	 * @returns whether there is something new to see
	 */
	direct(wanted: Readonly<Facts>, canMove: boolean, timeMs: number): boolean;
	/** Launches rockets if more salutes than before are counted, and things move. */
	salute(count: number, moving: boolean): void;
	/** Goes to a tick. */
	seek(tick: number): void;
	/**
	 * Ends a change between morning and night at once: what stands still is not half-way.
	 * @returns whether there was one
	 */
	endDusk(): boolean;
}

/** @param salutes how many were requested before the first frame: they are dropped */
export function createDirector(
	{ seed, inputs, from = 0, frozen = false }: PlayerSettings,
	salutes: number,
): Director {
	const simulation = inputs
		? restore({ seed, inputs, tick: from })
		: createSimulation(seed, "none");
	let clock = createClock();
	let scene: Scene = sceneOf(simulation);
	let dark = false;
	let dusk = createDusk(NIGHT[scene]);
	let setting = createDusk(NIGHT[scene]);
	/** The tick at which the scene began, and whether any of it has been played. */
	let sceneAt = 0;
	let played = false;
	let saluted = salutes;

	/** Night falls for a scene, or for a visitor whose system is dark, and the sphere sets for a scene alone. */
	function turnSky(timeMs: number, atOnce = false): void {
		const night = dark ? 1 : NIGHT[scene];
		if (atOnce) {
			dusk = createDusk(night);
			setting = createDusk(NIGHT[scene]);
		} else {
			turnTo(dusk, night, timeMs);
			turnTo(setting, NIGHT[scene], timeMs);
		}
	}

	/** Turns to the scene that the inputs have come to: with inputs, no other scene counts. */
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

	function seekGoodMoment(still: boolean): boolean {
		const good = sceneAt + GOOD_MOMENT[scene];
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
		writeMoment(picture, timeMs) {
			picture.time = frozen ? simulation.tick : simulation.tick + clock.fraction;
			picture.night = advanceDusk(dusk, timeMs);
			picture.sunken = advanceDusk(setting, timeMs);
		},
		move(timeMs) {
			// A worker's clock can start after the frame that its first timestamp is of.
			const ticks = advance(clock, Math.max(0, Math.round(timeMs * 1000)));
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
			if (!inputs && seekGoodMoment(wanted.still)) changed = true;
			return changed;
		},
		salute(count, moving) {
			// Nothing may move: drop the salute, do not queue it.
			if (count > saluted && moving) salute(simulation);
			saluted = count;
		},
		seek(tick) {
			seek(simulation, tick);
			// Begun anew, so that a tick looks the same from wherever it was sought.
			clock = createClock();
			played = true;
			followInputs(0);
			stopDusk();
		},
		endDusk: stopDusk,
	};
}
