import type { PageState } from "../messages.ts";

type Surroundings = Pick<PageState, "width" | "height" | "pixelRatio" | "seen">;

/**
 * Watches what the player cannot observe: a worker's frames continue in a hidden tab (Chromium),
 * and while the canvas is scrolled away (all browsers, measured).
 * @returns a function that stops watching
 */
export function watchSurroundings(
	element: Element,
	tell: (surroundings: Partial<Surroundings>) => void,
): () => void {
	const ended = new AbortController();
	const { signal } = ended;

	const size = new ResizeObserver(([entry]) => {
		if (entry) tell({ width: entry.contentRect.width, height: entry.contentRect.height });
	});
	size.observe(element);

	let within = false;
	const tellSeen = () => tell({ seen: within && document.visibilityState === "visible" });
	const sight = new IntersectionObserver((entries) => {
		within = entries.at(-1)?.isIntersecting ?? false;
		tellSeen();
	});
	sight.observe(element);
	document.addEventListener("visibilitychange", tellSeen, { signal });

	/** A media query fires only once, when its ratio stops matching. */
	function followPixelRatio(): void {
		const { devicePixelRatio } = window;
		tell({ pixelRatio: devicePixelRatio });
		matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener(
			"change",
			followPixelRatio,
			{ once: true, signal },
		);
	}
	followPixelRatio();

	return () => {
		ended.abort();
		size.disconnect();
		sight.disconnect();
	};
}
