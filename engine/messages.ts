/** Messages between the page and the player, not validated: both come from one build. */
import type { Theme } from "./render/theme.ts";
import type { Scene } from "./simulation/rules.ts";
import type { Input } from "./simulation/runs.ts";

/** In order of preference: WebGL in a worker, WebGL on the page, 2D canvas, no picture. */
export const BACKENDS = ["worker", "page", "flat", "none"] as const;
export type Backend = (typeof BACKENDS)[number];

export interface PlayerSettings {
	backend: Backend;
	seed: number;
	/** First tick. Above 0 if another backend has played the ticks before. */
	from?: number | undefined;
	frozen?: boolean | undefined;
	level?: number | undefined;
	inputs?: readonly Input[] | undefined;
	theme: Theme;
	wide?: boolean | undefined;
	stats: boolean;
	/** Facts that only some browsers expose. `memory` is in GB, rounded. */
	device: { memory?: number | undefined; cores?: number | undefined };
}

export interface ShowState {
	scene: Scene;
	paused: boolean;
	/** Reduced motion: shows one still picture of the scene. */
	still: boolean;
	dark: boolean;
	/** Salutes requested so far. Each new one launches three rockets. */
	salutes: number;
	/** How many rockets from the join form have hit the sphere so far. */
	hits: number;
	breaths: number;
	/** Text blocks in CSS px: x, y, width, height each. */
	quietZone: readonly number[];
}

export interface PageState extends ShowState {
	/** Canvas size in CSS px; nothing is drawn at 0. */
	width: number;
	height: number;
	pixelRatio: number;
	/** Whether the tab is visible and the canvas in the viewport. */
	seen: boolean;
	/** Mouse or finger, from the window's center: -1 to 1, y downward. */
	pointerX: number;
	pointerY: number;
	pointing: boolean;
	/** Finger travel to the right so far, in window widths. */
	turned: number;
	/** Counted since the page loaded. */
	taps: number;
	keys: number;
	/** Whether to save power: on battery, or while the visitor is away. */
	sparing: boolean;
}

export const INITIAL_PAGE_STATE: Readonly<PageState> = {
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

export function isVisible({ scene, seen, width, height }: Readonly<PageState>): boolean {
	return seen && scene !== "none" && width > 0 && height > 0;
}

export function isMotionAllowed({ paused, still }: Readonly<ShowState>): boolean {
	return !paused && !still;
}

export interface FrameStats {
	backend: Backend;
	level: number;
	pixelRatio: number;
	tick: number;
	dropped: number;
	/** Frames skipped since the last stats because the GPU was busy. */
	skipped: number;
	drawCalls: number;
	/** Simulation fingerprint at `tick`. */
	fingerprint: string;
	/** ms between the frames since the last stats. */
	frameTimes: Float32Array;
}

export interface PlayerEvents {
	/** Gets true after the first frame, and false when the canvas content is lost. */
	shown(shown: boolean): void;
	/** Called at most four times a second. */
	stats(stats: FrameStats): void;
	/** Called when the player cannot continue. `final`: other backends would fail, too. */
	failed(reason: string, final: boolean): void;
}

export type PageMessage =
	| { kind: "start"; canvas: OffscreenCanvas; settings: PlayerSettings; pageState: PageState }
	| { kind: "set"; pageState: Partial<PageState> }
	| { kind: "seek"; tick: number }
	| { kind: "ping" }
	| { kind: "destroy" };

export type WorkerMessage =
	/** The worker's first message: whether it supports WebGL. */
	| { kind: "proof"; webgl: boolean }
	| { kind: "shown"; shown: boolean }
	/** The reply to `ping`. `due`: whether the player still requests frames. */
	| { kind: "alive"; frames: number; due: boolean; tick: number }
	| { kind: "stats"; stats: FrameStats }
	| { kind: "failed"; reason: string; final: boolean };
