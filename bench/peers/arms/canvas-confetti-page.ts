import type { Start } from "../scene.ts";
import { fire } from "./canvas-confetti.ts";

/** On the page's thread, the library's default for a given canvas. */
export const start: Start = (canvas, scene) => fire(canvas, scene, false);
