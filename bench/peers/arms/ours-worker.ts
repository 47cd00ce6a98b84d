import type { Start } from "../scene.ts";

/** As shipped. */
export const start: Start = (canvas, scene) => {
	const worker = new Worker(new URL("./ours-thread.ts", import.meta.url), { type: "module" });
	const offscreen = canvas.transferControlToOffscreen();
	worker.postMessage({ canvas: offscreen, scene }, [offscreen]);
	return {};
};
