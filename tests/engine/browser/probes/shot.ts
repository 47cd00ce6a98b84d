import { THEME } from "../../../../engine/default-theme.ts";
import { createFlatRenderer } from "../../../../engine/render/flat/flat-renderer.ts";
import { createGlRenderer } from "../../../../engine/render/gl/gl-renderer.ts";
import type { Renderer } from "../../../../engine/render/renderer.ts";
import type { Scene, Simulation } from "../../../../engine/simulation/index.ts";
import { simulationAt } from "../../render/sprites.ts";

export interface Shot {
	seed: number;
	scene: Scene;
	tick: number;
	width: number;
	height: number;
	backend?: "gl" | "flat";
	/** Whether the CPU renders; true by default. */
	software?: boolean;
	quietZone?: number[];
}

const attributes = { alpha: false, antialias: false, depth: false, preserveDrawingBuffer: true };

export interface OpenedRenderer {
	canvas: HTMLCanvasElement;
	simulation: Simulation;
	renderer: Renderer;
}

/** @param see wraps the WebGL context */
export function openRenderer(
	{ seed, scene, tick, width, height, backend = "gl", quietZone = [], software }: Shot,
	see = (gl: WebGL2RenderingContext) => gl,
): OpenedRenderer {
	const canvas = document.createElement("canvas");
	const simulation = simulationAt(seed, scene, tick);
	let renderer: Renderer;
	if (backend === "flat") {
		renderer = createFlatRenderer(canvas.getContext("2d")!, simulation, THEME);
	} else {
		const gl = canvas.getContext("webgl2", attributes) ?? canvas.getContext("webgl", attributes);
		renderer = createGlRenderer(see(gl as WebGL2RenderingContext), simulation, THEME, software);
	}
	renderer.resize(width, height, 1);
	renderer.setQuietZone(quietZone);
	return { canvas, simulation, renderer };
}
