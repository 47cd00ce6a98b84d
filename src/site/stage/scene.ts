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
	dark: false,
	salutes: 0,
	hits: 0,
	breaths: 0,
	quietZone: [],
}));

/** Rockets rise for a visitor who joined. */
export function salute(): void {
	scene.setState(({ salutes }) => ({ salutes: salutes + 1 }));
}

/** The sphere takes the rocket of a visitor who joined, with a deep breath. */
export function takeRocket(): void {
	scene.setState(({ hits }) => ({ hits: hits + 1 }));
}

/** The sphere breathes once, as at a tap. */
export function breathe(): void {
	scene.setState(({ breaths }) => ({ breaths: breaths + 1 }));
}

/** Whether anything may move. */
export function isMoving({ paused, still }: Show): boolean {
	return !paused && !still;
}
