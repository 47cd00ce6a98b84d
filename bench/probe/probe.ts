/** The bench's workload. Runs in Chromium, with the engine of the measured checkout. */
import {
	CHANGES_LENGTH,
	countParticles,
	createCursor,
	createSimulation,
	readChanges,
	type Simulation,
	seek,
	step,
} from "../../engine/simulation/index.ts";
import { SCENARIOS } from "../harness/scenarios.ts";
import { countGl, createGlCounts, type GlCounts } from "./counted-gl.ts";
import { gpuLoad, limitVertices } from "./gpu-load.ts";
import { startManualPlayer } from "./manual-player.ts";

const WARM_UP_FRAMES = 60;
const COUNTED_FRAMES = 600;

/** A tick at which particles of all kinds are alive. */
const CROWDED_TICK = 6_000;

export interface FrameCounts extends GlCounts {
	ticks: number;
	records: number;
	/** Number of live particles, summed over all frames. */
	alive: number;
}

function createCanvas(see: (gl: WebGL2RenderingContext) => WebGL2RenderingContext) {
	const canvas = document.createElement("canvas");
	const getContext = canvas.getContext.bind(canvas) as (...values: unknown[]) => unknown;
	return Object.assign(canvas, {
		getContext: (...values: unknown[]) => see(getContext(...values) as WebGL2RenderingContext),
	});
}

function scenarioOf(name: string) {
	const found = SCENARIOS.find((scenario) => scenario.name === name);
	if (!found) throw new Error(`Unknown scenario "${name}".`);
	return found;
}

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

export function countFrames(name: string): FrameCounts {
	const counts = createGlCounts();
	const canvas = createCanvas((gl) => countGl(limitVertices(gl), counts));
	const { simulation, turn, destroy } = startManualPlayer(canvas, scenarioOf(name));
	const readRecords = createReader(simulation);
	for (let frame = 0; frame < WARM_UP_FRAMES; frame++) turn();
	Object.assign(counts, createGlCounts());
	readRecords();
	const from = simulation.tick;
	let records = 0;
	let alive = 0;
	for (let frame = 0; frame < COUNTED_FRAMES; frame++) {
		turn();
		records += readRecords();
		for (const count of Object.values(countParticles(simulation).alive)) alive += count;
	}
	const counted = { ...structuredClone(counts), ticks: simulation.tick - from, records, alive };
	destroy();
	return counted;
}

let simulation: Simulation | undefined;

export function runSteps(times: number): void {
	if (!simulation) {
		simulation = createSimulation(42, "both");
		seek(simulation, CROWDED_TICK);
	}
	for (let i = 0; i < times; i++) step(simulation);
}

let stage: { turn(): void; gl: WebGL2RenderingContext } | undefined;

function startStage() {
	let gl: WebGL2RenderingContext | undefined;
	const canvas = createCanvas((given) => {
		gl = limitVertices(given);
		return gl;
	});
	const { player, turn } = startManualPlayer(canvas, scenarioOf("both 42"));
	player.seek(CROWDED_TICK);
	return { turn, gl: gl! };
}

/** Waits for the GPU, by reading a pixel. */
function settle(gl: WebGL2RenderingContext): void {
	gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
}

/** Draws one triangle per draw call, to time the calling thread and not the GPU. */
export function runFrames(times: number): void {
	stage ??= startStage();
	for (let i = 0; i < times; i++) stage.turn();
	settle(stage.gl);
}

/** Draws whole frames, and waits for the GPU after each. */
export function drawPictures(times: number): void {
	stage ??= startStage();
	gpuLoad.whole = true;
	for (let i = 0; i < times; i++) {
		stage.turn();
		settle(stage.gl);
	}
	gpuLoad.whole = false;
}
