/**
 * Messages between page and worker, one union per direction. Nothing is validated on arrival: both
 * ends come from one build, under hashed file names.
 */
import type { Looks } from "./render/looks.ts";
import type { Scene } from "./simulation/rules.ts";
import type { Input } from "./simulation/runs.ts";

/** WebGL in a worker, WebGL on the page, 2D canvas on the page, or nothing. Best first. */
export const BACKENDS = ["worker", "page", "flat", "none"] as const;
export type Backend = (typeof BACKENDS)[number];

/** Passed to the player once, at the start. */
export interface PlayerSettings {
	backend: Backend;
	/** From 0 to 2^32 - 1: the same seed shows the same minute. */
	seed: number;
	/** First tick; for engineers, and to resume where another backend stopped. */
	from?: number | undefined;
	/** Show only the tick `from`. */
	frozen?: boolean | undefined;
	/** Fixed quality level. */
	level?: number | undefined;
	/** A script of scenes by tick, which overrides `scene`. */
	inputs?: readonly Input[] | undefined;
	looks: Looks;
	/** Whether the display supports Display-P3. */
	wide?: boolean | undefined;
	stats: boolean;
	/** GB of memory (as rounded by browsers) and processor cores, if the browser exposes them. */
	device: { memory?: number | undefined; cores?: number | undefined };
}

/** The show that the page asks for. */
export interface Show {
	scene: Scene;
	/** The visitor stopped all motion, now or on an earlier visit. */
	paused: boolean;
	/** The system prefers reduced motion: show one good moment of the scene. */
	still: boolean;
	/** The system is in dark mode: day scenes play at dusk. */
	dark: boolean;
	/** Salutes requested so far. Each new one launches three rockets. */
	salutes: number;
	/** Page rockets absorbed by the sphere so far, each with a deep breath. */
	hits: number;
	/** Breaths requested so far. */
	breaths: number;
	/** Blocks of words, in CSS px: x, y, width, height each. */
	quietZone: readonly number[];
}

/** Everything that may change while the player runs. */
export interface Facts extends Show {
	/** Canvas size in CSS px; nothing is drawn at 0. */
	width: number;
	height: number;
	/** Device pixels per CSS px. */
	pixelRatio: number;
	/** The tab is visible and the canvas is in the viewport. */
	seen: boolean;
	/** Mouse or single-finger position from the window's center: -1 to 1 both ways, y downward. */
	pointerX: number;
	pointerY: number;
	/** Whether a mouse or finger is present. */
	pointing: boolean;
	/** Total distance one finger has moved to the right, in window widths. */
	turned: number;
	/** Taps outside of controls, and keystrokes, so far. */
	taps: number;
	keys: number;
	/** Save power: on battery, or nobody is there. */
	sparing: boolean;
}

export const UNTOLD: Readonly<Facts> = {
	scene: "none",
	paused: false,
	still: false,
	dark: false,
	salutes: 0,
	hits: 0,
	breaths: 0,
	quietZone: [],
	width: 0,
	height: 0,
	pixelRatio: 1,
	seen: false,
	pointerX: 0,
	pointerY: 0,
	pointing: false,
	turned: 0,
	taps: 0,
	keys: 0,
	sparing: false,
};

/** Whether there is something to see and someone to see it. */
export function isVisible({ scene, seen, width, height }: Readonly<Facts>): boolean {
	return seen && scene !== "none" && width > 0 && height > 0;
}

/** Whether visitor and system allow motion. */
export function mayMove({ paused, still }: Readonly<Show>): boolean {
	return !paused && !still;
}

/** For the engineers' overlay. */
export interface Stats {
	backend: Backend;
	/** Quality level, and device pixels drawn per CSS px. */
	level: number;
	pixelRatio: number;
	tick: number;
	/** Ticks dropped after stalls. */
	dropped: number;
	/** Frames skipped since the last stats because the GPU was busy. */
	skipped: number;
	drawCalls: number;
	/** The simulation's fingerprint at `tick`. */
	fingerprint: string;
	/** ms between drawn frames since the last stats. */
	frameTimes: Float32Array;
}

export interface PlayerEvents {
	/** The first frame is finished (true), or the canvas content is gone (false). */
	shown(shown: boolean): void;
	/** At most four times a second, and only if requested. */
	stats(stats: Stats): void;
	/** The player cannot continue; `final` if other backends would fail, too. */
	failed(reason: string, final: boolean): void;
}

export type PageMessage =
	| { kind: "start"; canvas: OffscreenCanvas; settings: PlayerSettings; facts: Facts }
	| { kind: "set"; facts: Partial<Facts> }
	| { kind: "seek"; tick: number }
	/** Requests `alive`; `period` is the display's frame interval in ms, as the page sees it. */
	| { kind: "ping"; period: number }
	| { kind: "destroy" };

export type WorkerMessage =
	/** The first message: whether this worker has WebGL. */
	| { kind: "proof"; webgl: boolean }
	/** The first frame is finished, or the canvas content is gone. */
	| { kind: "shown"; shown: boolean }
	/** The response to `ping`: frames so far, and whether more are due. */
	| { kind: "alive"; frames: number; due: boolean; tick: number }
	| { kind: "stats"; stats: Stats }
	/** The player cannot continue; `final` if other backends would fail, too. */
	| { kind: "failed"; reason: string; final: boolean };
