import { THEME } from "../../../engine/default-theme.ts";
import { INITIAL_STATE } from "../../../engine/messages.ts";
import { openSurface } from "../../../engine/player/gl-surface.ts";
import { createPlayer } from "../../../engine/player/player.ts";
import { LADDER } from "../../../engine/player/quality/ladder.ts";
import type { Canvas } from "../../../engine/player/surface.ts";
import { EMOJI, FIELD, type Simulation, STRIDE } from "../../../engine/simulation/index.ts";
import { createRecords } from "../../../engine/simulation/particles.ts";
import { layOutRings } from "../../../engine/simulation/rings.ts";
import type { Sprite } from "../peers.ts";

/** The level with one device pixel per CSS px, kept throughout. */
const LEVEL = LADDER.findIndex(({ pixelRatio }) => pixelRatio === 1);

/** The engine's own player with a crowd of floats, all born at the first tick. It draws its sphere, too. */
export function play(
	canvas: Canvas,
	sprites: readonly Sprite[],
	life: number,
	backend: "worker" | "page",
): void {
	const { width, height } = canvas;
	const surface = openSurface(canvas, THEME);
	let simulation: Simulation | undefined;
	const crowded = {
		...surface,
		createRenderer(given: Simulation) {
			simulation = Object.assign(given, makeRoom(sprites.length));
			return surface.createRenderer(given);
		},
	};
	createPlayer(
		crowded,
		{ backend, theme: THEME, seed: 42, from: 1, level: LEVEL, stats: false, device: {} },
		{ ...INITIAL_STATE, scene: "drift", width, height, seen: true },
		{
			shown() {},
			stats() {},
			failed(reason) {
				throw new Error(reason);
			},
		},
	);
	if (simulation) dress(simulation, sprites, life);
}

/** Slots for exactly that many floats. */
function makeRoom(count: number): Pick<Simulation, "rings" | "records" | "slots"> {
	const none = { initial: 0, batch: 0 };
	const [floats, rockets, bursts] = layOutRings({
		floats: { initial: count, batch: 0 },
		rockets: none,
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

/** Gives the floats the sprites' sizes, and a life that is one long fade. */
function dress(simulation: Simulation, sprites: readonly Sprite[], life: number): void {
	const { ints, floats } = simulation.records;
	for (const [slot, { size, text }] of sprites.entries()) {
		const record = slot * STRIDE;
		ints[record + FIELD.death] = ints[record + FIELD.birth]! + life;
		floats[record + FIELD.size] = size;
		floats[record + FIELD.emoji] = EMOJI.indexOf(text);
		floats[record + FIELD.fadeIn] = 1;
		floats[record + FIELD.fadeOut] = life;
	}
	simulation.rewrites++;
}
