/**
 * The engine's door. It draws the living picture into an element and needs nothing else of the page:
 *
 *     const engine = createEngine(stage, { onShown: (backend) => fade(backend) });
 *     engine.set({ scene: "drift", paused: false, quietZone });
 *     engine.destroy();
 *
 * It never throws and never shows an error: where it cannot draw in one way it draws in the next,
 * and in the end not at all, which leaves whatever stands behind it.
 */

export type { Backend, Show, Stats } from "./messages.ts";
export { createEngine, type Engine, type EngineSettings } from "./page/create-engine.ts";

export type { Input, Scene } from "./simulation/index.ts";
