import { createStore } from "zustand/vanilla";
import type { ShowState } from "#engine";

/** The engine receives this state unchanged. */
export const scene = createStore<ShowState>()(() => ({
	scene: "none",
	paused: false,
	still: false,
	dark: false,
	salutes: 0,
	hits: 0,
	breaths: 0,
	quietZone: [],
}));

export function requestSalute(): void {
	scene.setState(({ salutes }) => ({ salutes: salutes + 1 }));
}

/** After a join, the sphere absorbs the rocket and swells. */
export function absorbRocket(): void {
	scene.setState(({ hits }) => ({ hits: hits + 1 }));
}

/** The sphere swells once, as when tapped. */
export function swellSphere(): void {
	scene.setState(({ breaths }) => ({ breaths: breaths + 1 }));
}

export function isMoving({ paused, still }: ShowState): boolean {
	return !paused && !still;
}
