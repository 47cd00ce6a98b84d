import type { StartBackend } from "./backend.ts";

/**
 * Plays on the page's thread. Waits until the page is idle, because starting WebGL blocks clicks on
 * a weak machine for 300 ms and more (measured).
 */
export const pageBackend: StartBackend = async (canvas, settings, pageState, tell, signal) => {
	const [{ createPlayer }, { openSurface }] = await Promise.all([
		import("../player/player.ts"),
		settings.backend === "flat"
			? import("../player/flat-surface.ts")
			: import("../player/gl-surface.ts"),
	]);
	await idle();
	signal.throwIfAborted();
	const surface = openSurface(canvas, settings.theme, settings.wide);
	try {
		const player = createPlayer(surface, settings, pageState, tell);
		return { ...player, tick: () => player.pulse().tick };
	} catch (error) {
		surface.destroy();
		throw error;
	}
};

function idle(): Promise<void> {
	return new Promise((resolve) => {
		// Safari has no requestIdleCallback.
		if ("requestIdleCallback" in window) requestIdleCallback(() => resolve(), { timeout: 2000 });
		else setTimeout(resolve, 200);
	});
}
