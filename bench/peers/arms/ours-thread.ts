import type { Scene } from "../scene.ts";
import { play } from "./ours.ts";

addEventListener("message", ({ data }: MessageEvent<{ canvas: OffscreenCanvas; scene: Scene }>) => {
	play(data.canvas, data.scene, "worker");
});
