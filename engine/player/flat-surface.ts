import { createFlatRenderer } from "../render/flat/flat-renderer.ts";
import type { Theme } from "../render/theme.ts";
import { unlimitedPacer } from "./frame-pacer.ts";
import { type Surface, watchContext } from "./surface.ts";

/** @throws Error without a 2D context */
export function openSurface(canvas: HTMLCanvasElement, theme: Theme, wide = false): Surface {
	const context = canvas.getContext("2d", { colorSpace: wide ? "display-p3" : "srgb" });
	if (!context) throw new Error("There is no 2D canvas.");
	return {
		software: true,
		pacer: unlimitedPacer,
		createRenderer: (simulation) => createFlatRenderer(context, simulation, theme),
		isLost: () => context.isContextLost?.() ?? false,
		watch: (onLost, onReturned) =>
			watchContext(canvas, ["contextlost", "contextrestored"], onLost, onReturned),
		destroy() {
			// Frees the memory at once, not at the next garbage collection.
			canvas.width = 0;
			canvas.height = 0;
		},
	};
}
