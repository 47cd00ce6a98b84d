import type { Start } from "../scene.ts";
import { fire } from "./canvas-confetti.ts";

/** In its own worker, which is the library's default for a canvas that it makes itself. */
export const start: Start = (canvas, scene) => fire(canvas, scene, true);
