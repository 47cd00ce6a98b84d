import { play } from "./ours.ts";
import type { Scene } from "./scene.ts";

addEventListener("message", ({ data }: MessageEvent<{ canvas: OffscreenCanvas; scene: Scene }>) => {
	play(data.canvas, data.scene, "worker");
});
