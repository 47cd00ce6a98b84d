import type { Scene } from "../../../../engine/simulation/index.ts";

/** A picture to take. */
export interface Shot {
	seed: number;
	scene: Scene;
	tick: number;
	width: number;
	height: number;
	backend?: "gl" | "flat";
	quietZone?: number[];
	/** Where words stood in a frame before. */
	earlierZone?: number[];
}
