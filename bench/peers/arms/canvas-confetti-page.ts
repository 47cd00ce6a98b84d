import type { Start } from "../scene.ts";
import { fire } from "./canvas-confetti.ts";

/** On the page's thread, which is the library's default for a given canvas. */
export const start: Start = (canvas, scene) => fire(canvas, scene, false);
