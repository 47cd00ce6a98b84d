import { createStore } from "zustand/vanilla";
import type { Show } from "#engine";

/**
 * What the page wishes to be shown. The engine is told this state as it is; components read it
 * through `useStore`.
 */
export const scene = createStore<Show>()(() => ({
	scene: "none",
	paused: false,
	still: false,
	salutes: 0,
	quietZone: [],
}));

/** Requests rockets for a visitor who joined. */
export function salute(): void {
	scene.setState(({ salutes }) => ({ salutes: salutes + 1 }));
}

/** Whether anything may move. */
export function isMoving({ paused, still }: Show): boolean {
	return !paused && !still;
}
