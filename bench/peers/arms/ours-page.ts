import type { Start } from "../scene.ts";
import { play } from "./ours.ts";

/** The engine on the page's thread: its second backend, if a worker cannot draw. */
export const start: Start = (canvas, scene) => {
	play(canvas, scene, "page");
	return {};
};
