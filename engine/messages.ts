/**
 * What page and worker say to each other, as one union each way. Whatever arrives is checked before
 * it is believed.
 */
import { LAST_TICK, SCENES, type Scene } from "./simulation/rules.ts";
import type { Input } from "./simulation/runs.ts";

/** How the picture is drawn, best first. */
export const WAYS = ["worker", "page", "flat", "none"] as const;
export type Way = (typeof WAYS)[number];

/** What the player is told when it starts, and never again. */
export interface PlayerSettings {
	way: Way;
	/** From 0 to 2^32 - 1: the same seed shows the same minute. */
	seed: number;
	/** The tick at which to begin; for engineers, and to go on where another way of drawing ended. */
	from?: number;
	/** Show the tick `from` and nothing else. */
	frozen?: boolean;
	/** The rung of the quality ladder to stay on. */
	level?: number;
	/** What plays from which tick on, instead of the scene that is set. */
	inputs?: readonly Input[];
	/** Report statistics. */
	stats: boolean;
	/** GB of memory, as browsers round it, and processor cores, where they tell. */
	device: { memory?: number; cores?: number };
}

/** What is to be shown and where: all that the player needs to be told as it changes. */
export interface Facts {
	/** What plays. */
	scene: Scene;
	/** The visitor stopped everything that moves. */
	paused: boolean;
	/** The visitor asked for less motion: a good moment of the scene, and no other. */
	still: boolean;
	/** How often rockets have been asked for in a visitor's honour; each time more is three of them. */
	salutes: number;
	/** Where words stand, in CSS px: x, y, width, height of each block. */
	quietZone: readonly number[] | Float32Array;
	/** Size of the picture in CSS px; nothing is drawn at 0. */
	width: number;
	height: number;
	/** Device pixels in a CSS px. */
	pixelRatio: number;
	/** Whether the tab is shown and the picture within its window. */
	seen: boolean;
}

/** For the engineers' overlay. */
export interface Stats {
	way: Way;
	/** Rung of the quality ladder, and the device pixels drawn for each CSS px. */
	level: number;
	pixelRatio: number;
	tick: number;
	/** Ticks that stalls have cost. */
	dropped: number;
	/** Frames passed over since the last report, because the GPU was busy. */
	skipped: number;
	drawCalls: number;
	/** Of the simulation at `tick`. */
	fingerprint: string;
	/** ms from one picture to the next, since the last report. */
	frameTimes: Float32Array;
}

export type PageMessage =
	| { kind: "start"; canvas: OffscreenCanvas; settings: PlayerSettings; facts: Facts }
	| { kind: "set"; facts: Partial<Facts> }
	| { kind: "seek"; tick: number }
	/** Are you there? And the ms from one frame of the display to the next, as the page sees it. */
	| { kind: "ping"; period: number }
	| { kind: "destroy" };

export type WorkerMessage =
	/** The first word: whether there is WebGL in this worker. */
	| { kind: "proof"; webgl: boolean }
	/** The first picture is there, or it is gone. */
	| { kind: "shown"; shown: boolean }
	/** The answer to `ping`: frames so far, and whether there should be more. */
	| { kind: "alive"; frames: number; due: boolean; tick: number }
	| { kind: "stats"; stats: Stats }
	/** It cannot go on; `final` when no other way of drawing would fare better. */
	| { kind: "failed"; reason: string; final: boolean };

type Wild = Record<string, unknown>;

function isObject(value: unknown): value is Wild {
	return typeof value === "object" && value !== null;
}

function isCount(value: unknown): value is number {
	return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

const isBoolean = (value: unknown) => typeof value === "boolean";
const isString = (value: unknown) => typeof value === "string";
const isTick = (value: unknown) => isCount(value) && Number.isInteger(value) && value <= LAST_TICK;
const isScene = (value: unknown) => SCENES.includes(value as Scene);
const isWay = (value: unknown) => WAYS.includes(value as Way);
const optional = (check: Check) => (value: unknown) => value === undefined || check(value);

type Check = (value: unknown) => boolean;
/** One check for each property of T, so that a new property cannot be forgotten. */
type Shape<T> = { readonly [key in keyof T]-?: Check };

const device: Shape<PlayerSettings["device"]> = {
	memory: optional(isCount),
	cores: optional(isCount),
};

const input: Shape<Input> = { tick: isTick, scene: isScene };

const settings: Shape<PlayerSettings> = {
	way: isWay,
	seed: isCount,
	from: optional(isCount),
	frozen: optional(isBoolean),
	level: optional(isCount),
	inputs: optional((value) => Array.isArray(value) && value.every((row) => fits(row, input))),
	stats: isBoolean,
	device: (value) => fits(value, device),
};

const facts: Shape<Facts> = {
	scene: isScene,
	paused: isBoolean,
	still: isBoolean,
	salutes: isCount,
	quietZone: (value) =>
		(Array.isArray(value) || value instanceof Float32Array) && value.every(Number.isFinite),
	width: isCount,
	height: isCount,
	pixelRatio: isCount,
	seen: isBoolean,
};

const stats: Shape<Stats> = {
	way: isWay,
	level: isCount,
	pixelRatio: isCount,
	tick: isCount,
	dropped: isCount,
	skipped: isCount,
	drawCalls: isCount,
	fingerprint: isString,
	frameTimes: (value) => value instanceof Float32Array,
};

type Kinds<M extends { kind: string }> = {
	readonly [kind in M["kind"]]: Shape<Omit<Extract<M, { kind: kind }>, "kind">>;
};

const fromPage: Kinds<PageMessage> = {
	start: {
		canvas: (value) => value instanceof OffscreenCanvas,
		settings: (value) => fits(value, settings),
		facts: (value) => fits(value, facts),
	},
	set: { facts: (value) => isObject(value) && Object.keys(value).every(isFact(value)) },
	seek: { tick: isTick },
	ping: { period: isCount },
	destroy: {},
};

const isFact = (value: Wild) => (key: string) =>
	Object.hasOwn(facts, key) && facts[key as keyof Facts](value[key]);

const fromWorker: Kinds<WorkerMessage> = {
	proof: { webgl: isBoolean },
	shown: { shown: isBoolean },
	alive: { frames: isCount, due: isBoolean, tick: isCount },
	stats: { stats: (value) => fits(value, stats) },
	failed: { reason: isString, final: isBoolean },
};

function fits(value: unknown, shape: Readonly<Record<string, Check>>): boolean {
	return isObject(value) && Object.keys(shape).every((key) => shape[key]?.(value[key]));
}

function isOneOf(message: unknown, kinds: Readonly<Record<string, Record<string, Check>>>) {
	if (!isObject(message) || !isString(message.kind)) return false;
	const kind = message.kind as string;
	return Object.hasOwn(kinds, kind) && fits(message, kinds[kind] ?? {});
}

/**
 * What the page says.
 * @throws TypeError for anything else
 */
export function readPageMessage(message: unknown): PageMessage {
	if (isOneOf(message, fromPage)) return message as PageMessage;
	throw new TypeError(`The page said ${show(message)}, which means nothing to the worker.`);
}

/**
 * What the worker says.
 * @throws TypeError for anything else
 */
export function readWorkerMessage(message: unknown): WorkerMessage {
	if (isOneOf(message, fromWorker)) return message as WorkerMessage;
	throw new TypeError(`The worker said ${show(message)}, which means nothing to the page.`);
}

function show(message: unknown): string {
	try {
		return JSON.stringify(message) ?? String(message);
	} catch {
		return String(message);
	}
}
