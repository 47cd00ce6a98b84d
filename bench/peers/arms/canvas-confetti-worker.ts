import type { Start } from "../scene.ts";
import { fire } from "./canvas-confetti.ts";

/** In a worker, the library's default for a canvas it creates. */
export const start: Start = (canvas, scene) => fire(canvas, scene, true);
