import type { Sprite } from "../peers.ts";

/** The engine with its second backend, or in a worker as shipped. */
export async function start(
	canvas: HTMLCanvasElement,
	sprites: readonly Sprite[],
	life: number,
	inWorker: boolean,
): Promise<void> {
	if (!inWorker) {
		const { play } = await import("./orbit-player.ts");
		play(canvas, sprites, life, "page");
		return;
	}
	const worker = new Worker(new URL("./orbit-thread.ts", import.meta.url), { type: "module" });
	const offscreen = canvas.transferControlToOffscreen();
	worker.postMessage({ canvas: offscreen, sprites, life }, [offscreen]);
}
