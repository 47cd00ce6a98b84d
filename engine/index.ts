/**
 * Public API. Draws the living picture into an element:
 *
 *     const engine = createEngine(stage, { theme, onShown: (backend) => fade(backend) });
 *     engine.set({ scene: "drift", paused: false, quietZone });
 *     engine.destroy();
 *
 * `createEngine` never throws: if a backend cannot draw, the next one takes over.
 */

import type { Shot } from "./page/photograph.ts";

export type { Backend, FrameStats, ShowState } from "./messages.ts";
export { createEngine, type Engine, type EngineSettings } from "./page/create-engine.ts";

export type { Theme } from "./render/theme.ts";
export type { Input, Scene } from "./simulation/index.ts";

/** Draws a single tick onto a 2D canvas. Its code loads on demand. @throws Error without WebGL */
export async function photograph(shot: Shot): Promise<HTMLCanvasElement> {
	const { photograph } = await import("./page/photograph.ts");
	return photograph(shot);
}
