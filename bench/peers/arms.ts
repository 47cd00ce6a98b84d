/** A file of `arms/`, and its title. */
export interface Arm {
	name: string;
	title: string;
	inWorker?: boolean;
	/** It draws no sprites and shows the base cost of frames on any page. */
	isFloor?: boolean;
}

export const ARMS: readonly Arm[] = [
	{ name: "nothing", title: "a cleared canvas", isFloor: true },
	{ name: "nothing-worker", title: "the same in a worker", inWorker: true, isFloor: true },
	{ name: "ours-worker", title: "Orbit, in its worker", inWorker: true },
	{ name: "ours-page", title: "Orbit, on the page" },
	{ name: "pixi", title: "pixi.js" },
	{ name: "tsparticles", title: "tsparticles" },
	{ name: "canvas-confetti-page", title: "canvas-confetti" },
	{ name: "canvas-confetti-worker", title: "canvas-confetti, in its worker", inWorker: true },
	{ name: "js-confetti", title: "js-confetti" },
];

/** The arm that ratios are relative to. */
export const BASE = "ours-page";
