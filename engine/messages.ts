/**
 * What page and worker say to each other, as one union each way. Nothing is checked on arrival: both
 * ends come from one build, under names that are hashes of it.
 */
import type { Looks } from "./render/looks.ts";
import type { Scene } from "./simulation/rules.ts";
import type { Input } from "./simulation/runs.ts";

/** What draws: WebGL in a worker, WebGL on the page, 2D canvas on the page, or nothing. Best first. */
export const BACKENDS = ["worker", "page", "flat", "none"] as const;
export type Backend = (typeof BACKENDS)[number];

/** What the player is told when it starts, and never again. */
export interface PlayerSettings {
	backend: Backend;
	/** From 0 to 2^32 - 1: the same seed shows the same minute. */
	seed: number;
	/** The tick at which to begin; for engineers, and to go on where another backend ended. */
	from?: number | undefined;
	/** Show the tick `from` and nothing else. */
	frozen?: boolean | undefined;
	/** The level of quality to stay on. */
	level?: number | undefined;
	/** What plays from which tick on; the scene that is set is then ignored. */
	inputs?: readonly Input[] | undefined;
	looks: Looks;
	/** Whether the display has the colours of Display-P3. */
	wide?: boolean | undefined;
	/** Whether to send `Stats`. */
	stats: boolean;
	/** GB of memory, as browsers round it, and processor cores, where they tell. */
	device: { memory?: number | undefined; cores?: number | undefined };
}

/** What is to be shown, as the page wishes. */
export interface Show {
	/** What plays. */
	scene: Scene;
	/** The visitor stopped everything that moves, now or on an earlier visit. */
	paused: boolean;
	/** The visitor's system asks for less motion: a good moment of the scene, and no other. */
	still: boolean;
	/** The visitor's system is dark: scenes of the day play at dusk. */
	dark: boolean;
	/** How many salutes were requested so far. Each new one launches three rockets for the visitor. */
	salutes: number;
	/** How many rockets of the page the sphere has taken so far, each with a deep breath. */
	hits: number;
	/** How many breaths of the sphere the page has requested so far. */
	breaths: number;
	/** Where words stand, in CSS px: x, y, width, height of each block. */
	quietZone: readonly number[];
}

/** What is to be shown and where: all that the player needs to be told as it changes. */
export interface Facts extends Show {
	/** Size of the canvas in CSS px; nothing is drawn at 0. */
	width: number;
	height: number;
	/** Device pixels in a CSS px. */
	pixelRatio: number;
	/** Whether the tab is shown and the canvas within its window. */
	seen: boolean;
	/** Where the mouse or the one finger points, from the middle of the window: -1 to 1 both ways, y downwards. */
	pointerX: number;
	pointerY: number;
	/** Whether either is there. */
	pointing: boolean;
	/** How far one finger has moved to the right in all, in widths of the window. */
	turned: number;
	/** How often the visitor has tapped beside the controls, and typed. */
	taps: number;
	keys: number;
	/** Energy is worth more than pictures: on battery, or with nobody there. */
	sparing: boolean;
}

/** What is known before anybody has told anything. */
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

/** Whether there is anything to see, and somebody who may see it. */
export function isVisible({ scene, seen, width, height }: Readonly<Facts>): boolean {
	return seen && scene !== "none" && width > 0 && height > 0;
}

/** Whether the visitor and their system let anything move. */
export function mayMove({ paused, still }: Readonly<Show>): boolean {
	return !paused && !still;
}

/** For the engineers' overlay. */
export interface Stats {
	backend: Backend;
	/** Level of quality, and the device pixels drawn for each CSS px. */
	level: number;
	pixelRatio: number;
	tick: number;
	/** Ticks that stalls have cost. */
	dropped: number;
	/** Frames skipped since the last stats, because the GPU was busy. */
	skipped: number;
	drawCalls: number;
	/** Of the simulation at `tick`. */
	fingerprint: string;
	/** ms from one drawn frame to the next, since the last stats. */
	frameTimes: Float32Array;
}

/** What the player has to say. */
export interface PlayerEvents {
	/** The first frame is finished; or what is on the canvas is gone. */
	shown(shown: boolean): void;
	/** At most four times a second, and only when settings ask for it. */
	stats(stats: Stats): void;
	/** The player cannot go on; `final` when no other backend would fare better. */
	failed(reason: string, final: boolean): void;
}

export type PageMessage =
	| { kind: "start"; canvas: OffscreenCanvas; settings: PlayerSettings; facts: Facts }
	| { kind: "set"; facts: Partial<Facts> }
	| { kind: "seek"; tick: number }
	/** Asks for `alive`; tells the ms from one frame of the display to the next, as the page sees it. */
	| { kind: "ping"; period: number }
	| { kind: "destroy" };

export type WorkerMessage =
	/** The first word: whether there is WebGL in this worker. */
	| { kind: "proof"; webgl: boolean }
	/** The first frame is finished; or what is on the canvas is gone. */
	| { kind: "shown"; shown: boolean }
	/** The answer to `ping`: frames so far, and whether there should be more. */
	| { kind: "alive"; frames: number; due: boolean; tick: number }
	| { kind: "stats"; stats: Stats }
	/** The player cannot go on; `final` when no other backend would fare better. */
	| { kind: "failed"; reason: string; final: boolean };
