import { THEME } from "../../../engine/default-theme.ts";
import { createEngine } from "../../../engine/index.ts";
import { QUALITY_LEVELS } from "../../../engine/player/quality/ladder.ts";
import type { Sprite } from "../peers.ts";

/** Starts the engine as shipped, which draws about 33 sprites in `drift`, and 133 in `both`. */
export function start(
	canvas: HTMLElement,
	{ length }: Sprite[],
	_: number,
	inWorker: boolean,
): void {
	const stage = document.createElement("div");
	stage.style.height = "100vh";
	canvas.replaceWith(stage);
	const engine = createEngine(stage, {
		seed: 42,
		theme: THEME,
		backend: inWorker ? "worker" : "page",
		level: QUALITY_LEVELS.findIndex(({ pixelRatio }) => pixelRatio === 1),
	});
	// From this tick on, as many particles die as are born.
	engine.seek(6000);
	engine.set({ scene: length < 100 ? "drift" : "both" });
}
