/** Who takes part: a file of this folder, and what it is called. */
export interface Arm {
	name: string;
	title: string;
	/** It draws in a worker. */
	inWorker?: boolean;
	/** It draws no sprites: what every page pays for its frames. */
	isFloor?: boolean;
}

export const ARMS: readonly Arm[] = [
	{ name: "nothing", title: "a cleared canvas", isFloor: true },
	{ name: "ours-worker", title: "Orbit, in its worker", inWorker: true },
	{ name: "ours-page", title: "Orbit, on the page" },
	{ name: "pixi", title: "pixi.js" },
	{ name: "tsparticles", title: "tsparticles" },
	{ name: "canvas-confetti-page", title: "canvas-confetti" },
	{ name: "canvas-confetti-worker", title: "canvas-confetti, in its worker", inWorker: true },
	{ name: "js-confetti", title: "js-confetti" },
];

/** What ratios are to. */
export const BASE = "ours-page";
