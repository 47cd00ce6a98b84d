import { createStore } from "zustand/vanilla";

export type SceneName = "drift" | "fireworks" | "none";

/** What only the page knows and the engine is told: all that they share. */
export interface Scene {
	/** What plays: the route decides. */
	name: SceneName;
	/** The visitor stopped everything that moves, now or on an earlier visit. */
	paused: boolean;
	/** Her system asks for less motion, and she has not said otherwise. */
	still: boolean;
	/** How often the picture has been asked to salute: once for each join. */
	salutes: number;
	/** Where words stand, in CSS px of the window: x, y, width, height of each block. */
	quietZone: readonly number[];
}

/** Read by components through `useStore`, by the engine through `subscribe`. */
export const scene = createStore<Scene>()(() => ({
	name: "none",
	paused: false,
	still: false,
	salutes: 0,
	quietZone: [],
}));

/** Asks the picture for rockets in honour of a visitor who joined. */
export function salute(): void {
	scene.setState(({ salutes }) => ({ salutes: salutes + 1 }));
}

/** Whether anything may move. */
export function isMoving({ paused, still }: Scene): boolean {
	return !paused && !still;
}
