import { THEME } from "../../engine/default-theme.ts";
import { INITIAL_PAGE_STATE } from "../../engine/messages.ts";
import { openSurface } from "../../engine/player/gl-surface.ts";
import { createPlayer, type Player } from "../../engine/player/player.ts";
import { QUALITY_LEVELS } from "../../engine/player/quality/ladder.ts";
import type { Simulation } from "../../engine/simulation/index.ts";
import type { Scenario } from "../harness/scenarios.ts";

/** In CSS px. The size does not change what the bench counts. */
const SIZE = { width: 960, height: 600 };

/** A player whose frames are triggered one by one. Each frame advances one tick. */
export interface ManualPlayer {
	readonly simulation: Simulation;
	readonly player: Player;
	/** Triggers a frame. @throws Error if the player requests none or fails */
	turn(): void;
	destroy(): void;
}

/** Plays at the highest quality level, so that every machine does the same work. */
export function startManualPlayer(
	canvas: HTMLCanvasElement,
	{ seed, inputs }: Scenario,
): ManualPlayer {
	const surface = openSurface(canvas, THEME);
	let simulation: Simulation | undefined;
	let failure: string | undefined;
	let callback: ((timeMs: number) => void) | undefined;
	let frame = 0;
	let next = 1;
	const player = createPlayer(
		{
			...surface,
			createRenderer(given) {
				simulation = given;
				return surface.createRenderer(given);
			},
		},
		{
			backend: "worker",
			theme: THEME,
			seed,
			level: QUALITY_LEVELS.length - 1,
			stats: false,
			device: {},
		},
		{
			...INITIAL_PAGE_STATE,
			scene: inputs[0]!.scene,
			quietZone: [8, 8, 32, 16],
			...SIZE,
			seen: true,
		},
		{
			shown() {},
			stats() {},
			failed(reason) {
				failure = reason;
			},
		},
		{
			request(wanted) {
				callback = wanted;
				return 1;
			},
			cancel() {
				callback = undefined;
			},
		},
	);
	const playing = simulation!;
	return {
		simulation: playing,
		player,
		turn() {
			if (next < inputs.length && inputs[next]!.tick === playing.tick) {
				player.set({ scene: inputs[next++]!.scene });
			}
			const current = callback;
			callback = undefined;
			frame++;
			current?.((frame * 1000) / 60);
			if (failure !== undefined) throw new Error(`The player failed: ${failure}`);
			if (!current) throw new Error(`The player requested no frame at tick ${playing.tick}.`);
		},
		destroy: () => player.destroy(),
	};
}
