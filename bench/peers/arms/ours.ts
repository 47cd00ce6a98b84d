import { INITIAL_STATE } from "../../../engine/messages.ts";
import { openSurface } from "../../../engine/player/gl-surface.ts";
import { createPlayer } from "../../../engine/player/player.ts";
import { LADDER } from "../../../engine/player/quality/ladder.ts";
import type { Canvas } from "../../../engine/player/surface.ts";
import { HAIRLINE } from "../../../engine/render/orbits.ts";
import { FIELD, type Simulation, STRIDE } from "../../../engine/simulation/index.ts";
import { createRecords } from "../../../engine/simulation/particles.ts";
import { layOutRings } from "../../../engine/simulation/rings.ts";
import { THEME } from "../../harness/theme.ts";
import { CANVAS, LIFE, type Scene, spritesOf } from "../scene.ts";

/**
 * The engine's own player, with two changes: a crowd of `count` floats, all born at the first tick,
 * and WebGL skips the sphere, which the peers lack. The thread's work for the sphere is still
 * measured.
 */
export function play(canvas: Canvas, scene: Scene, backend: "worker" | "page"): void {
	const surface = openSurface(canvas, THEME);
	let simulation: Simulation | undefined;
	const crowded = {
		...surface,
		createRenderer(given: Simulation) {
			simulation = Object.assign(given, crowd(scene.count));
			return surface.createRenderer(given);
		},
	};
	hideSphere(canvas, scene);
	createPlayer(
		crowded,
		{ backend, theme: THEME, seed: 42, from: 1, level: FULL, stats: false, device: {} },
		{ ...INITIAL_STATE, scene: "drift", ...CANVAS, seen: true },
		{
			shown() {},
			stats() {},
			failed(reason) {
				throw new Error(reason);
			},
		},
	);
	if (simulation) dress(simulation, scene);
}

/** The level with one device pixel per CSS px, kept throughout. */
const FULL = LADDER.findIndex(({ pixelRatio }) => pixelRatio === 1);

/** Capacity for exactly that many floats, all born at a scene's start. */
function crowd(count: number): Pick<Simulation, "rings" | "records" | "slots"> {
	const nobody = { initial: 0, batch: 0 };
	const [floats, rockets, bursts] = layOutRings({
		floats: { initial: count, batch: 0 },
		rockets: nobody,
	});
	return {
		rings: [
			{ ...floats, length: count },
			{ ...rockets, first: count, length: 0 },
			{ ...bursts, first: count, length: 0 },
		],
		records: createRecords(count),
		slots: count,
	};
}

/** Gives the floats the scene's sizes, and a life that is one long fade, like the peers'. */
function dress(simulation: Simulation, scene: Scene): void {
	const { floats, ints } = simulation.records;
	spritesOf(scene).forEach(({ size, emoji }, slot) => {
		const record = slot * STRIDE;
		ints[record + FIELD.death] = ints[record + FIELD.birth]! + LIFE;
		floats[record + FIELD.size] = size;
		floats[record + FIELD.emoji] = emoji;
		floats[record + FIELD.fadeIn] = 1;
		floats[record + FIELD.fadeOut] = LIFE;
	});
	simulation.rewrites++;
}

/** Indices of the orbit's hairline, which come before the floats. */
const LINES = 6 * HAIRLINE.steps;

/** Clears the canvas instead of drawing sky, sphere and orbit, which no peer draws. */
function hideSphere(canvas: Canvas, scene: Scene): void {
	const gl = (canvas as HTMLCanvasElement).getContext("webgl2");
	if (!gl) throw new Error("There is no WebGL 2.");
	gl.drawElements = (mode, count, type, offset) => {
		const sprites = count - LINES;
		const draw = WebGL2RenderingContext.prototype.drawElements;
		if (sprites !== 6 * scene.count) gl.clear(gl.COLOR_BUFFER_BIT);
		else draw.call(gl, mode, sprites, type, offset + LINES * Uint16Array.BYTES_PER_ELEMENT);
	};
}
