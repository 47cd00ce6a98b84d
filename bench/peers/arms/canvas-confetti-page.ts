import type { Start } from "../scene.ts";
import { fire } from "./canvas-confetti.ts";

/** On the page's thread, as with a canvas of one's own unless one asks for a worker. */
export const start: Start = (canvas, scene) => fire(canvas, scene, false);
