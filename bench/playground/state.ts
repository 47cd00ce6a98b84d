import { createStore, type StoreApi } from "zustand/vanilla";
import type { Input, Stats, Way } from "#engine";
import type { GlCounts } from "./gl-counts.ts";

/** What a link carries: all that makes one picture. */
export interface Setup {
	/** What plays from which tick on. */
	inputs: readonly Input[];
	seed: number;
	/** Where the timeline ends. */
	ticks: number;
	/** The tick that is seen. */
	tick: number;
	playing: boolean;
	/** A choice that is not made is the engine's, or the device's own. */
	way: Way | undefined;
	level: number | undefined;
	pixelRatio: number | undefined;
	memory: number | undefined;
	cores: number | undefined;
	saveData: boolean;
	/** ms that the page's thread is kept busy in each frame. */
	jank: number;
}

export interface PlaygroundState extends Setup {
	/** A new object for each seek, also to the same tick. */
	sought: { tick: number };
	/** The engine's latest report of this picture. */
	stats: Stats | undefined;
	/** WebGL calls so far, wherever the picture is drawn. */
	gl: GlCounts | undefined;
	/** Why there is no picture, and so nothing that plays; a new object each time that is to be said. */
	nothing: { why: string } | undefined;
}

export type Playground = StoreApi<PlaygroundState>;

/** The bench as one object that all its parts read and write. */
export function createPlayground(setup: Setup): Playground {
	return createStore<PlaygroundState>()(() => ({
		...setup,
		sought: { tick: setup.tick },
		stats: undefined,
		gl: undefined,
		nothing: undefined,
	}));
}

/** Stops at a tick of the timeline, which is then seen exactly. */
export function seek(playground: Playground, tick: number): void {
	const within = Math.max(0, Math.min(playground.getState().ticks, Math.round(tick)));
	playground.setState({ playing: false, tick: within, sought: { tick: within } });
}

/** Plays on, from the start if it is at the end; or stops at the tick that is seen. */
export function setPlaying(playground: Playground, playing: boolean): void {
	const { tick, ticks, nothing } = playground.getState();
	if (!playing) seek(playground, tick);
	else if (nothing) playground.setState({ nothing: { ...nothing } });
	else {
		if (tick >= ticks) seek(playground, 0);
		playground.setState({ playing: true });
	}
}
