import type { Start } from "../scene.ts";

/** The base cost: a page that requests every frame and only clears its canvas. */
export const start: Start = (canvas) => {
	const context = canvas.getContext("2d")!;
	function frame(): void {
		context.clearRect(0, 0, canvas.width, canvas.height);
		requestAnimationFrame(frame);
	}
	requestAnimationFrame(frame);
	return {};
};
