/**
 * The bench's workload. Bundled with the engine of the measured tree, which may differ from this
 * one.
 */
import { fingerprint } from "../../engine/simulation/fingerprint.ts";
import {
	CHANGES_LENGTH,
	count,
	createCursor,
	createSimulation,
	readChanges,
	type Simulation,
	seek,
	step,
} from "../../engine/simulation/index.ts";
import { SCENARIOS } from "../harness/scenarios.ts";
import { countGl, createGlCounts, type GlCounts } from "./counted-gl.ts";
import { drawOneTriangle, passFences } from "./one-triangle-gl.ts";
import { type Schedule, startSchedule } from "./schedule.ts";
import { createStubCanvas } from "./stub-canvas.ts";

/** Frames before counting, and counted frames. */
const WARM_UP = 60;
export const FRAMES = 600;

export interface Counts extends GlCounts {
	ticks: number;
	records: number;
	/** Particles alive, summed over all frames. */
	alive: number;
	fingerprint: string;
}

/** @param see receives each WebGL context and returns the one to use */
function createCanvas(see: (gl: WebGL2RenderingContext) => object = (gl) => gl): HTMLCanvasElement {
	if (typeof document === "undefined") return withGl(createStubCanvas(), see);
	return withGl(document.createElement("canvas"), (gl) => see(drawOneTriangle(gl)));
}

function withGl(
	canvas: HTMLCanvasElement,
	see: (gl: WebGL2RenderingContext) => object,
): HTMLCanvasElement {
	const getContext = canvas.getContext.bind(canvas) as (...values: unknown[]) => unknown;
	return Object.assign(canvas, {
		getContext: (...values: unknown[]) => {
			const gl = getContext(...values) as WebGL2RenderingContext | null;
			return gl && see(gl);
		},
	});
}

function scenarioOf(name: string) {
	const found = SCENARIOS.find((scenario) => scenario.name === name);
	if (!found) throw new Error(`Unknown scenario "${name}".`);
	return found;
}

/** Reads new slots like the renderer. */
function createReader(simulation: Simulation): () => number {
	const cursor = createCursor();
	const ranges = new Int32Array(CHANGES_LENGTH);
	return () => {
		const used = readChanges(simulation, cursor, ranges);
		let slots = 0;
		for (let i = 0; i < used; i += 2) slots += ranges[i + 1]! - ranges[i]!;
		return slots;
	};
}

export function countFrames(name: string): Counts {
	const counts = createGlCounts();
	const canvas = createCanvas((gl) => countGl(gl, counts));
	const schedule = startSchedule(canvas, scenarioOf(name));
	const { simulation } = schedule;
	const readRecords = createReader(simulation);
	for (let frame = 0; frame < WARM_UP; frame++) schedule.turn();
	Object.assign(counts, createGlCounts());
	readRecords();
	const from = simulation.tick;
	let records = 0;
	let alive = 0;
	for (let frame = 0; frame < FRAMES; frame++) {
		schedule.turn();
		records += readRecords();
		const { floats, rockets, sparks } = count(simulation).alive;
		alive += floats + rockets + sparks;
	}
	const ticks = simulation.tick - from;
	const counted = { ...counts, ticks, records, alive, fingerprint: fingerprint(simulation) };
	schedule.destroy();
	return counted;
}

/** All kinds of particles are alive from this tick. Steps and frames begin there. */
const CROWDED = 6_000;

/** CSS px of fully painted pictures. */
const PAINTED = { width: 960, height: 600 };

let simulation: Simulation | undefined;
let schedule: Schedule | undefined;

/** Steps with live particles of all kinds. */
export function steps(times: number): void {
	if (!simulation) {
		simulation = createSimulation(42, "both");
		seek(simulation, CROWDED);
	}
	for (let i = 0; i < times; i++) step(simulation);
}

let drawing: WebGL2RenderingContext | undefined;

/** Clock, steps, upload, draw. */
export function frames(times: number): void {
	if (!schedule) {
		schedule = startSchedule(
			createCanvas((gl) => {
				drawing = gl;
				return gl;
			}),
			scenarioOf("both 42"),
		);
		schedule.player.seek(CROWDED);
	}
	for (let i = 0; i < times; i++) schedule.turn();
}

/** Waits until the GPU has finished all frames: only then can a pixel be read. */
export function settle(gl = drawing): void {
	gl?.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
}

let painting: { turn(): void; gl: WebGL2RenderingContext } | undefined;

/**
 * Day frames with all pixels, each until the GPU has finished. Pages only. At night fireworks would
 * hide the cost of sky and sphere.
 */
export function pictures(times: number): void {
	painting ??= startPainting();
	for (let i = 0; i < times; i++) {
		painting.turn();
		settle(painting.gl);
	}
}

function startPainting(): { turn(): void; gl: WebGL2RenderingContext } {
	let gl: WebGL2RenderingContext | undefined;
	const canvas = withGl(document.createElement("canvas"), (given) => {
		gl = passFences(given);
		return gl;
	});
	const { player, turn } = startSchedule(canvas, scenarioOf("drift 42"), PAINTED);
	player.seek(CROWDED);
	return { turn, gl: gl! };
}

let callback: ((timeMs: number) => void) | undefined;
let turned = 0;
let seen = 0;
function request(wanted: (timeMs: number) => void): void {
	callback = wanted;
}
function handleFrame(timeMs: number): void {
	seen += timeMs;
	request(handleFrame);
}

/** Frames without a player: the overhead of calling them by hand. */
export function emptyFrames(times: number): number {
	callback ??= handleFrame;
	for (let i = 0; i < times; i++) {
		const current = callback;
		callback = undefined;
		turned++;
		current?.((turned * 1000) / 60);
	}
	return seen;
}

let kept: object = {};

/** One object per call, which an allocation measurement must detect. */
export function keepObjects(times: number): object {
	for (let i = 0; i < times; i++) kept = { i };
	return kept;
}

/** A kilobyte per call, which a collection count must detect. */
export function keepKilobytes(times: number): object {
	for (let i = 0; i < times; i++) kept = new Array(256).fill(i);
	return kept;
}

export function whereabouts(): { steps: number; frames: number } {
	return { steps: simulation?.tick ?? 0, frames: schedule?.simulation.tick ?? 0 };
}

/** An activity, and its start and end in ms. */
export type Span = readonly [name: string, fromMs: number, toMs: number];

/** Filled by the functions that `spanEdits` has changed. */
type Spanned = typeof globalThis & { spans?: Span[] };

/** Needs a bundle with `spanEdits`. */
export function traceFrames(name: string): Span[] {
	const spans: Span[] = [];
	const timed = (what: string, work: () => void) => {
		const from = performance.now();
		work();
		spans.push([what, from, performance.now()]);
	};
	const traced = startSchedule(createCanvas(), scenarioOf(name), {
		wrap: (renderer) => ({
			...renderer,
			draw: (picture) => timed("draw", () => renderer.draw(picture)),
		}),
	});
	for (let frame = 0; frame < WARM_UP; frame++) traced.turn();
	spans.length = 0;
	(globalThis as Spanned).spans = spans;
	for (let frame = 0; frame < FRAMES; frame++) timed("frame", traced.turn);
	delete (globalThis as Spanned).spans;
	traced.destroy();
	return spans;
}
