import type { PageState } from "../messages.ts";

type Surroundings = Pick<PageState, "width" | "height" | "pixelRatio" | "seen">;

/**
 * Reports the canvas's size, pixel ratio and visibility. A worker cannot detect visibility: it gets
 * frames even in a hidden tab (Chromium, measured) and while scrolled away (all browsers).
 * @returns a function that stops watching
 */
export function watchCanvas(
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

	/** Listens again after each change, because a query matches only one ratio. */
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
