import { createStore, type StoreApi } from "zustand/vanilla";
import type { Backend, Input, Stats } from "#engine";
import type { GlCounts } from "./gl-counts/gl-counts.ts";

/** The content of a link: everything that determines a picture. */
export interface Setup {
	inputs: readonly Input[];
	seed: number;
	ticks: number;
	tick: number;
	playing: boolean;
	/** If undefined, the engine or the device chooses. */
	backend: Backend | undefined;
	level: number | undefined;
	pixelRatio: number | undefined;
	memory: number | undefined;
	cores: number | undefined;
	saveData: boolean;
	/** ms per frame. */
	jank: number;
}

export interface PlaygroundState extends Setup {
	/** A new object for each seek, even to the same tick. */
	sought: { tick: number };
	stats: Stats | undefined;
	/** WebGL calls so far, in the thread that draws. */
	gl: GlCounts | undefined;
	/** Why there is no picture. A new object repeats the message. */
	nothing: { why: string } | undefined;
}

export type Playground = StoreApi<PlaygroundState>;

export function createPlayground(setup: Setup): Playground {
	return createStore<PlaygroundState>()(() => ({
		...setup,
		sought: { tick: setup.tick },
		stats: undefined,
		gl: undefined,
		nothing: undefined,
	}));
}

export function seek(playground: Playground, tick: number): void {
	const within = Math.max(0, Math.min(playground.getState().ticks, Math.round(tick)));
	playground.setState({ playing: false, tick: within, sought: { tick: within } });
}

export function setPlaying(playground: Playground, playing: boolean): void {
	const { tick, ticks, nothing } = playground.getState();
	if (!playing) seek(playground, tick);
	else if (nothing) playground.setState({ nothing: { ...nothing } });
	else {
		if (tick >= ticks) seek(playground, 0);
		playground.setState({ playing: true });
	}
}
