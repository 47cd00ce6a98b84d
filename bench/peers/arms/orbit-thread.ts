import type { Sprite } from "../peers.ts";
import { play } from "./orbit-player.ts";

interface Start {
	canvas: OffscreenCanvas;
	sprites: readonly Sprite[];
	life: number;
}

addEventListener("message", ({ data: { canvas, sprites, life } }: MessageEvent<Start>) => {
	play(canvas, sprites, life, "worker");
});
