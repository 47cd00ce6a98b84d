import type { Scene } from "../../../../engine/simulation/index.ts";

export interface Shot {
	seed: number;
	scene: Scene;
	tick: number;
	width: number;
	height: number;
	backend?: "gl" | "flat";
	quietZone?: number[];
	/** Quiet zone of an earlier frame. */
	earlierZone?: number[];
}
