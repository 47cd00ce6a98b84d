import type { Start } from "../scene.ts";

export const start: Start = (canvas) => {
	const worker = new Worker(new URL("./nothing-thread.ts", import.meta.url), { type: "module" });
	const offscreen = canvas.transferControlToOffscreen();
	worker.postMessage(offscreen, [offscreen]);
	return {};
};
